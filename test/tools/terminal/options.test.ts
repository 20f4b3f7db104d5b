import { describe, expect, test } from 'vitest';
import { upload, useFakeService } from '../upload/support/upload-command.ts';
import { allCommands, runNothing } from './support/programs.ts';

describe('an empty value is refused', () => {
  test('of every option of every command', async () => {
    const accepted: string[] = [];
    for (const { program, path, command } of allCommands()) {
      for (const { long } of command.options.filter(({ required }) => required)) {
        const { code, stdout } = await runNothing(program, [...path, `${long}=`]);
        if (code !== 2 || stdout !== '') {
          accepted.push([program, ...path, long].join(' '));
        }
      }
    }
    expect(accepted).toEqual([]);
  });

  test('before the command, and as an argument', async () => {
    for (const [program, parameters] of [
      ['admin', ['--local', 'client', 'show', '']],
      ['admin', ['--stack', '', 'client', 'list']],
      ['upload', ['', '--file', 'orders']],
    ] as const) {
      const { code, stderr } = await runNothing(program, parameters);
      expect({ code, stderr }).toMatchObject({
        code: 2,
        stderr: expect.stringMatching(/'.+' is empty/),
      });
    }
  });
});

describe('a wrong value exits 2', () => {
  useFakeService();

  test('of upload', async () => {
    const run = await upload([import.meta.filename, '--base-url', 'ftp://files.example.com']);
    expect(run).toMatchObject({ code: 2, stdout: '', stderr: expect.stringContaining('is not a base URL') });
  });

  test('of npm start', async () => {
    const reasons: Readonly<Record<string, RegExp>> = {
      '--port 65536': /0 to 65535/,
      '--aws-port http': /0 to 65535/,
      '--context stage': /key=value/,
      '--context stag=dev': /no setting stag/,
      '--context baseUrl=https://example.com': /--port/,
      '--events-header x-api-key': /name: value/,
      '--events-to ftp://consumer/events': /begins with http/,
      '--events-to http://me:hush@127.0.0.1:8080/': /^(?!.*hush).*may hold no user name/,
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
