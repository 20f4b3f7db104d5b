import { basename } from 'node:path';
import type { Command } from 'commander';
import { shellWord } from '../operator/text.ts';

/**
 * What the reader types to run a tool: an npm script, the built file, or the name of the installed tool. With these words,
 * the reader can type each printed command.
 *
 * @param path of the script that runs
 */
export function programWords(
  tool: 'admin' | 'upload',
  { npm_lifecycle_event }: NodeJS.ProcessEnv,
  path = '',
): string {
  if (npm_lifecycle_event === tool) {
    // Without -s, npm prints lines of its own before the result.
    return `npm run -s ${tool} --`;
  }
  const name = `file-sync-${tool}`;
  return basename(path) === `${name}.mjs` ? `node ${name}.mjs` : name;
}

/**
 * Adds examples to the help of a command.
 *
 * @param examples parameters of the program, as they are typed: `--local client list`
 */
export function addExamples(command: Command, ...examples: readonly string[]): Command {
  return command.addHelpText('after', ({ command: shown }) => {
    const lines = examples.map((example) => `  ${rootOf(shown).name()} ${example}`);
    return ['', 'Examples:', ...lines].join('\n');
  });
}

/** A command line with these parameters, quoted where a shell needs it. */
export function typedLine(words: string, parameters: readonly string[]): string {
  return [words, ...parameters.map(shellWord)].join(' ');
}

/** The program that a command belongs to. */
export function rootOf(command: Command): Command {
  return command.parent === null ? command : rootOf(command.parent);
}
