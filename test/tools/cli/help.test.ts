import { describe, expect, test } from 'vitest';
import { allCommands, runNothing } from './support/programs.ts';

/** Descriptions of commands are sentences. Summaries, options and arguments begin in lower case and have no full stop. */
const sentence = /^[A-Z][^\n]*\.$/;
const phrase = /^[a-z][^\n]*[^.\s]$/;

describe('every help text', () => {
  const commands = allCommands().map((found) => ({
    ...found,
    title: [found.program, ...found.path].join(' '),
  }));

  test('is looked at', () => {
    expect(commands.length).toBeGreaterThan(25);
  });

  test.each(commands)('$title fits a terminal of 80 columns', async ({ program, path }) => {
    const { code, stdout, stderr } = await runNothing(program, [...path, '--help'], 80);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toMatch(/^Usage: /);
    expect(stdout.split('\n').filter((line) => line.length > 80)).toEqual([]);
  });

  test.each(commands)('$title has texts of one kind', ({ command }) => {
    expect(command.description()).toMatch(sentence);
    if (command.parent !== null) {
      expect(command.summary()).toMatch(phrase);
    }
    for (const { description, flags, hidden } of command.options) {
      if (!hidden || description !== '') {
        expect(description, flags).toMatch(phrase);
      }
    }
    for (const argument of command.registeredArguments.filter(({ description }) => description)) {
      expect(argument.description, argument.name()).toMatch(phrase);
    }
  });

  test.each(['admin', 'upload'] as const)('%s names exit code 130', async (program) => {
    const { stdout } = await runNothing(program, ['--help']);
    expect(stdout).toMatch(/^ {2}130 {2}stopped by Ctrl-C/m);
  });
});
