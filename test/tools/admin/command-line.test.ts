import { randomBytes } from 'node:crypto';
import fc from 'fast-check';
import { generateClientSecret } from '../../../storage/client-secret.ts';
import { admin, rejection } from '../../support/run-admin.ts';

const failing = undefined;

describe('which deployment is meant', () => {
  const prod = { FILE_SYNC_STACK: 'prod' };

  test.for<readonly [string, Record<string, string>, string]>([
    ['--local client list', {}, 'local .local'],
    ['client list --local', {}, 'local .local'],
    ['client list --local --state here', {}, 'local here'],
    ['--stack prod client list', {}, 'stack prod'],
    ['client list', prod, 'stack prod'],
    ['--local client list', prod, 'local .local'],
  ])('%s with %o means %s', async ([words, env, opened]) => {
    expect((await admin(failing, words.split(' '), env)).opened).toEqual([opened]);
  });

  test.for([
    ['client list', '--local or --stack NAME, or set FILE_SYNC_STACK'],
    ['--local --stack prod client list', 'not both'],
    ['--stack prod --state here client list', 'add --local'],
  ] as const)('must be named once: %s', async ([words, reason]) => {
    expect(await admin(failing, words.split(' '))).toMatchObject(rejection(reason));
  });
});

describe('usage', () => {
  const long = 'x'.repeat(10_000);

  test.for([
    ['command', long],
    ['option', `client list --${long}`],
    ['organisation', `--local client create --organisation ${long} --name x`],
  ] as const)('does not repeat the whole of a long %s', async ([, words]) => {
    const { stderr } = await admin(failing, words.split(' '));
    expect(stderr).toContain('x'.repeat(10));
    expect(stderr.length).toBeLessThan(1_000);
  });

  test.for([
    ['clinet', 'Did you mean client'],
    ['client show', 'missing required argument'],
    ['client create --name n', '--organisation'],
    ['client create --organisation acme --name n', 'at least one scope'],
    ['client create --organisation a/b --name n --scope volume:read', 'organisation'],
    [
      'client set-scopes x --scope volume:write',
      'There is no scope "volume:write". The scopes are volume:read and sync:create',
    ],
  ] as const)('that is wrong exits 2 without a call of AWS: %s', async ([words, reason]) => {
    expect(await admin(failing, ['--local', ...words.split(' ')])).toMatchObject(rejection(reason));
  });

  test.for(['--local client show x', 'clinet', '', '--local client rotate-secret x --grace'])(
    'does not repeat a client secret that is typed after "%s"',
    async (words) => {
      const secret = generateClientSecret(randomBytes);
      const before = words.split(' ').filter(Boolean);
      const run = await admin(failing, [...before, `${secret}${' '.repeat(200)}`]);
      expect(run.code).toBe(2);
      expect(run.stdout + run.stderr).not.toContain(secret.slice(4, 24));
    },
  );

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
      { numRuns: 100 },
    );
  });
});
