import type { Command } from 'commander';
import { describe, expect, test } from 'vitest';
import { admin } from '../../support/run-admin.ts';
import { allCommands, type FoundCommand, runNothing } from './support/programs.ts';
import { upload, useFakeService } from './support/upload-command.ts';

const longOf = ({ long }: Command['options'][number]) => long ?? '';

function titleOf({ program, path }: FoundCommand, option: string): string {
  return [program, ...path, option].join(' ');
}

describe('an empty value is refused', () => {
  test('of every option of every command', async () => {
    const accepted: string[] = [];
    for (const { program, path, command } of allCommands()) {
      for (const option of command.options.filter(({ required }) => required).map(longOf)) {
        const { code, stdout } = await runNothing(program, [...path, `${option}=`]);
        if (code !== 2 || stdout !== '') {
          accepted.push(titleOf({ program, path, command }, option));
        }
      }
    }
    expect(accepted).toEqual([]);
  });

  test('as an argument too', async () => {
    for (const [program, parameters] of [
      ['admin', ['--local', 'client', 'show', '']],
      ['upload', ['', '--file', 'orders']],
    ] as const) {
      const { code, stderr } = await runNothing(program, parameters);
      expect({ code, stderr }).toMatchObject({
        code: 2,
        stderr: expect.stringMatching(/argument '.+' is empty/),
      });
    }
  });
});

describe('an option that is given twice is refused', () => {
  test('of every command', async () => {
    const accepted: string[] = [];
    for (const { program, path, command } of allCommands()) {
      for (const option of command.options) {
        const [choice = longOf(option) === '--events-to' ? 'http://127.0.0.1:1' : '1'] =
          option.argChoices ?? [];
        const once = option.required ? [`${longOf(option)}=${choice}`] : [longOf(option)];
        const { code, stderr } = await runNothing(program, [...path, ...once, ...once]);
        if (code !== 2 || !stderr.includes(`option '${option.flags}' may be given only once`)) {
          accepted.push(titleOf({ program, path, command }, longOf(option)));
        }
      }
    }
    const repeatable = ['--scope', '--context', '--version'];
    expect(accepted.filter((title) => !repeatable.some((option) => title.endsWith(option)))).toEqual([]);
  });

  test('before and after the command', async () => {
    const run = await admin(undefined, ['--stack', 'a', 'client', 'list', '--stack', 'b']);
    expect(run).toMatchObject({ code: 2, opened: [], stderr: expect.stringContaining('only once') });
  });

  test('but not one that may be repeated', async () => {
    const scopes = ['--scope', 'volume:read', '--scope', 'sync:create'];
    const created = await admin(undefined, [
      ...['--local', 'client', 'create', '--organisation', 'acme', '--name', 'n'],
      ...scopes,
    ]);
    expect(created.opened).toEqual(['local .local']);
  });
});

describe('a wrong value exits 2', () => {
  useFakeService();

  test('of upload', async () => {
    const reasons: readonly (readonly [string, RegExp])[] = [
      ['--file orders --base-url files.example.com', /not a base URL/],
      ['--file ..', /not a file id/],
    ];
    for (const [words, reason] of reasons) {
      const run = await upload([import.meta.filename, ...words.split(' ')]);
      expect(run, words).toMatchObject({ code: 2, stdout: '', stderr: expect.stringMatching(reason) });
    }
  });

  test('of npm start', async () => {
    const reasons: Readonly<Record<string, RegExp>> = {
      '--port 65536': /0 to 65535/,
      '--port -1': /0 to 65535/,
      '--aws-port http': /0 to 65535/,
      '--context stage': /key=value/,
      '--context stag=dev': /no setting stag/,
      '--context stage=dev --context stage=prod': /stage was given before/,
      '--port 4566': /must differ/,
      here: /too many arguments/,
    };
    for (const [words, reason] of Object.entries(reasons)) {
      const run = await runNothing('local', words.split(' '));
      expect(run, words).toMatchObject({ code: 2, stdout: '', stderr: expect.stringMatching(reason) });
    }
  });
});

test('an unknown option is answered with the one that was meant', async () => {
  const { code, stderr } = await runNothing('admin', ['file', 'list', '--organization', 'acme']);
  expect(code).toBe(2);
  expect(stderr).toContain("error: unknown option '--organization'\n(Did you mean --organisation?)\n");
});
