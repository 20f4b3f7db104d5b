import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type FakeAws, startFakeAws } from '../../../support/fake-aws.ts';
import { admin } from '../../../support/run-admin.ts';

let aws: FakeAws;

beforeAll(async () => {
  aws = await startFakeAws();
});
afterAll(() => aws.stop());
beforeEach(() => {
  aws.keySet = JSON.stringify({
    keys: [
      {
        ...key('next-kid'),
        state: 'next',
        since: '2026-01-02T00:00:00.000Z',
        usable_from: '2026-01-02T00:10:00.000Z',
      },
      {
        ...key('old-kid'),
        state: 'retired',
        since: '2026-01-02T00:00:00.000Z',
        until: '2999-01-02T02:00:00.000Z',
      },
      {
        ...key('gone-kid'),
        state: 'retired',
        since: '2026-01-02T00:00:00.000Z',
        until: '2026-01-02T02:00:00.000Z',
      },
      { ...key('current-kid'), state: 'current', since: '2026-01-02T00:00:00.000Z' },
    ],
  });
});

function key(kid: string) {
  return { jwk: { kty: 'EC', crv: 'P-256', x: 'xx', y: 'yy', kid, alg: 'ES256', use: 'sig' } };
}

const run = (...parameters: readonly string[]) =>
  admin(aws.deployment, ['--local', 'signing-key', ...parameters]);
const states = (data: unknown) =>
  (data as { kid: string; state: string }[]).map(({ kid, state }) => `${kid} ${state}`);

test('list gives the published keys, the current one first, and nothing of the keys themselves', async () => {
  const listed = await run('list', '--json');
  expect(states(listed.json().data)).toEqual(['current-kid current', 'next-kid next', 'old-kid retired']);
  expect(listed.stdout).toContain('"algorithm":"ES256"');
  expect(listed.stdout).not.toContain('"xx"');
});

describe('list says which key signs', () => {
  const signing = async () =>
    ((await run('list', '--json')).json().data as { kid: string; signs: boolean }[])
      .filter(({ signs }) => signs)
      .map(({ kid }) => kid);
  const entry = (state: string, since: string, until?: string) => ({
    ...key(`${state}-kid`),
    state,
    since,
    ...(until === undefined ? {} : { until }),
  });
  const [past, future] = ['2026-01-02T00:00:00.000Z', '2999-01-01T00:00:00.000Z'];

  test.each([
    ['the current one as a rule', [entry('current', past), entry('retired', past, future)], 'current-kid'],
    [
      'the one before, until the new one is known',
      [entry('current', future), entry('retired', future, future)],
      'retired-kid',
    ],
    [
      'the one before, until the rotation is finished',
      [entry('current', past), entry('retired', past)],
      'retired-kid',
    ],
  ])('%s', async (_, keys, kid) => {
    aws.keySet = JSON.stringify({ keys: [entry('next', past), ...keys] });
    expect(await signing()).toEqual([kid]);
  });
});

test('list of a deployment without keys says what to do', async () => {
  aws.keySet = undefined;
  expect(await run('list')).toMatchObject({ code: 1, stderr: expect.stringContaining('Deploy the stack') });
});

test('rotate --yes rotates, waits for the end and lists the keys', async () => {
  const rotated = await run('rotate', '--yes', '--json');
  expect(rotated.code).toBe(0);
  expect(states(rotated.json().data)).toContain('current-kid current');
});

describe('rotate of a secret without a schedule', () => {
  const asked: unknown[] = [];

  beforeEach(() => {
    asked.length = 0;
    aws.rotates = false;
  });
  afterEach(() => {
    aws.rotates = true;
  });

  test('has the function set the schedule, and then rotates', async () => {
    aws.functions.set('signing-keys', (payload) => {
      asked.push(payload);
      aws.rotates = true;
      return { payload: null };
    });
    const rotated = await run('rotate', '--yes', '--json');
    expect(rotated.code).toBe(0);
    expect(asked).toEqual([{ action: 'schedule' }]);
    expect(states(rotated.json().data)).toContain('current-kid current');
  });

  test('says why the function could not set it', async () => {
    aws.functions.set('signing-keys', () => ({
      error: true,
      payload: { errorType: 'InternalError', errorMessage: 'AccessDeniedException: see the log' },
    }));
    expect(await run('rotate', '--yes')).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(
        /no rotation schedule.*AccessDeniedException: see the log.*safe to repeat/s,
      ),
    });
  });
});

describe('revoke', () => {
  const asked: unknown[] = [];
  const revocation = {
    kid: 'current-kid',
    signing_kid: 'next-kid',
    revoked_at: '2026-01-03T00:00:00.000Z',
    rejected_from: '2026-01-03T00:05:00.000Z',
    rejected_by_clients_from: '2026-01-03T00:10:00.000Z',
    tokens_until: '2026-01-03T01:05:00.000Z',
  };

  beforeEach(() => {
    asked.length = 0;
    aws.functions.set('signing-keys', (payload) => {
      asked.push(payload);
      return { payload: revocation };
    });
  });

  test('asks the function and says which tokens die', async () => {
    const revoked = await run('revoke', 'current-kid', '--yes', '--json');
    expect(asked).toEqual([{ action: 'revoke', kid: 'current-kid' }]);
    expect(revoked.json()).toEqual(revocation);
    expect(revoked.stderr).toContain(
      'Every access token that it signed since 2026-01-02T00:00:00.000Z becomes invalid',
    );
  });

  test('without --yes, where nobody can be asked, changes nothing', async () => {
    expect(await run('revoke', 'current-kid')).toMatchObject({ code: 2, stdout: '' });
    expect(asked).toEqual([]);
  });

  test('--all revokes every key that has signed, the one that signs last, and leaves the next one', async () => {
    const revoked = await run('revoke', '--all', '--yes', '--json');
    expect(asked).toEqual([
      { action: 'revoke', kid: 'old-kid' },
      { action: 'revoke', kid: 'current-kid' },
    ]);
    expect(revoked.json()).toEqual({ data: [revocation, revocation] });
    expect(revoked.stderr).toContain('Every access token');
  });

  test.each([[['revoke', '--yes']], [['revoke', 'current-kid', '--all', '--yes']]])(
    '%j is no usage: a kid, or --all',
    async (parameters) => {
      expect(await run(...parameters)).toMatchObject({ code: 2, stdout: '' });
      expect(asked).toEqual([]);
    },
  );

  test('of a current key that does not sign yet says that no token dies', async () => {
    aws.keySet = aws.keySet?.replaceAll(
      /("kid":"(?:current|old)-kid".*?"since":)"[^"]+"/g,
      '$1"2999-01-01T00:00:00.000Z"',
    );
    const { stderr } = await run('revoke', 'current-kid', '--yes');
    expect(stderr).toContain('has not signed yet: all access tokens stay valid');
  });

  test('of an unknown kid fails and changes nothing', async () => {
    expect(await run('revoke', 'unknown', '--yes')).toMatchObject({ code: 1, stdout: '' });
    expect(asked).toEqual([]);
  });

  test('a function that fails is told as such', async () => {
    aws.functions.set('signing-keys', () => ({ error: true, payload: { errorMessage: 'no' } }));
    const failed = await run('revoke', 'current-kid', '--yes');
    expect(failed).toMatchObject({ code: 1, stdout: '', stderr: expect.stringContaining('not certain') });
  });
});
