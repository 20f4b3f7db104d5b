import { randomBytes } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { generateClientSecret } from '../../../../storage/client-secret.ts';
import { admin } from '../../../support/run-admin.ts';

const failing = undefined;

describe('which deployment is meant', () => {
  test.each([
    [['--local', 'client', 'list'], {}, ['local .local']],
    [['--local', 'file', 'list'], {}, ['local .local']],
    [['--local', 'upload', 'list'], {}, ['local .local']],
    [['client', 'list', '--local'], {}, ['local .local']],
    [['--local', '--state', 'here', 'client', 'list'], {}, ['local here']],
    [['client', 'list', '--local', '--state', 'here'], {}, ['local here']],
    [['--stack', 'prod', 'client', 'list'], {}, ['stack prod']],
    [['client', 'list'], { FILE_SYNC_STACK: 'prod' }, ['stack prod']],
    [['--local', 'client', 'list'], { FILE_SYNC_STACK: 'prod' }, ['local .local']],
  ])('%j with %j', async (parameters, env, opened) => {
    expect((await admin(failing, parameters, env as Record<string, string>)).opened).toEqual(opened);
  });

  test.each([
    [['client', 'list'], /--local or --stack NAME, or set FILE_SYNC_STACK/],
    [['--local', '--stack', 'prod', 'client', 'list'], /not both/],
    [['--stack', 'prod', '--state', 'here', 'client', 'list'], /add --local/],
  ])('%j is a usage error', async (parameters, text) => {
    const run = await admin(failing, parameters);
    expect(run).toMatchObject({ code: 2, opened: [], stdout: '', stderr: expect.stringMatching(text) });
  });
});

describe('usage', () => {
  test.each([
    [['clinet'], /Did you mean client/],
    [['--local', 'client', 'shwo', 'x'], /Did you mean show/],
    [['--local', 'client', 'show'], /missing required argument/],
    [['--local', 'client', 'create', '--name', 'n'], /--organisation/],
    [['--local', 'client', 'create', '--organisation', 'acme', '--name', 'n'], /at least one --scope/],
    [
      ['--local', 'client', 'create', '--organisation', 'a/b', '--name', 'n', '--scope', 'volume:read'],
      /organisation/,
    ],
    [
      ['--local', 'client', 'create', '--organisation', 'acme', '--name', '', '--scope', 'volume:read'],
      /1 to 200/,
    ],
    [
      ['--local', 'client', 'create', '--organisation', 'acme', '--name', 'a\nb', '--scope', 'volume:read'],
      /control/,
    ],
    [
      ['--local', 'client', 'set-scopes', 'x', '--scope', 'volume:write'],
      /There is no scope "volume:write". The scopes are volume:read and sync:create/,
    ],
    [['--local', 'client', 'rotate-secret', 'x', '--grace', '7w'], /is not a duration/],
    [['--local', 'file', 'create', '--organisation', 'acme', '--name', 'n', '--id', '..'], /path/],
    [['--local', 'file', 'create', '--organisation', 'acme', '--name', 'n', '--id', 'a b'], /1 to 128/],
    [
      ['--local', 'upload', 'list', '--file', 'f', '--organisation', 'o'],
      /either --file ID or --organisation ID/,
    ],
    [
      ['--local', 'upload', 'list', '--file', 'f', '--status', 'lost'],
      /issued, completed, cancelled, expired/,
    ],
    [['--local', 'signing-key', 'rotate'], /add --yes/],
    [['--local', 'client', 'show', 'x', '--colour'], /unknown option/],
  ])('%j exits 2, says why and asks nothing of a deployment', async (parameters, text) => {
    const run = await admin(failing, parameters);
    expect(run).toMatchObject({ code: 2, opened: [], stdout: '', stderr: expect.stringMatching(text) });
  });

  test.each([[['--help']], [['client', '--help']], [['help', 'client']], [['client', 'create', '--help']]])(
    '%j is help on standard output',
    async (parameters) => {
      const run = await admin(failing, parameters);
      expect(run).toMatchObject({ code: 0, opened: [], stderr: '' });
      expect(run.stdout).toMatch(/^Usage: admin/);
    },
  );

  test('a client secret that is typed where an id belongs is not repeated', async () => {
    const secret = generateClientSecret(randomBytes);
    const long = `${secret}${' '.repeat(200)}`;
    for (const parameters of [
      ['--local', 'client', 'show', 'x', secret],
      ['clinet', secret],
      [secret],
      ['--local', 'client', 'rotate-secret', 'x', '--grace', long],
      [long],
    ]) {
      const run = await admin(failing, parameters);
      expect(run.code).toBe(2);
      // Not in part either.
      expect((run.stdout + run.stderr).includes(secret.slice(4, 24))).toBe(false);
    }
  });

  test('a long value is shortened wherever a message repeats it', async () => {
    const long = 'x'.repeat(5000);
    for (const parameters of [
      ['--local', 'file', 'create', '--organisation', long, '--name', 'n'],
      ['--local', 'upload', 'list', '--file', 'f', '--status', long],
      ['--local', 'client', 'rotate-secret', 'x', '--grace', long],
      ['--stack', `${long}_`, 'client', 'list'],
      [long],
      ['client', 'list', `--${long}`],
    ]) {
      const run = await admin(failing, parameters);
      expect(run.code).toBe(2);
      expect(run.stderr).toContain('xxx…xxx');
      expect(run.stderr.length).toBeLessThan(400);
    }
  });

  test('--version is the version', async () => {
    const shown = { code: 0, opened: [], stdout: '1.2.3\n', stderr: '' };
    expect(await admin(failing, ['--version'])).toMatchObject(shown);
  });

  test('nothing that is typed reaches the terminal as a control character', async () => {
    const text = fc.string({ unit: 'binary', maxLength: 40 });
    const parameter = fc.oneof(
      text,
      fc.constantFrom('client', 'file', 'show', 'create', '--name', '--id', '--local'),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(parameter, { maxLength: 6 }), async (parameters) => {
        const run = await admin(failing, parameters);
        expect([0, 1, 2]).toContain(run.code);
        expect(run.stderr).not.toMatch(/[^\P{Cc}\n\t]/u);
      }),
      { numRuns: 300 },
    );
  });
});
