import { startAws } from '../../support/aws.ts';
import { adminOf, failure } from '../../support/run-admin.ts';
import { seedSigningKeys } from '../console/support/seed.ts';

const aws = await startAws();
const run = adminOf(aws.deployment);
const states = (data: unknown) =>
  (data as { kid: string; state: string; signs: boolean }[]).map(
    ({ kid, state, signs }) => `${kid} ${state}${signs ? ' signs' : ''}`,
  );

beforeEach(() => seedSigningKeys(aws));

test('list prints the keys, the current one first, without their values', async () => {
  const listed = await run('signing-key list --json');
  expect(states(listed.json().data)).toEqual([
    'current-kid current signs',
    'next-kid next',
    'retired-kid retired',
  ]);
  expect(listed.stdout).toContain('"algorithm":"ES256"');
  expect(listed.stdout).not.toContain('"xx"');
});

test('list of a deployment without keys names the next step', async () => {
  const { deployment } = await startAws();
  const listed = await adminOf(deployment)('signing-key list');
  expect(listed).toMatchObject(
    failure('There is no key set yet. Deploy the stack: its first deployment creates the keys.'),
  );
});

test('rotate prints the reason if the schedule was not set', async () => {
  aws.functions.set('signing-keys', () => Promise.reject(new Error('no key')));
  expect(await run('signing-key rotate --yes')).toMatchObject(
    failure(
      'The secret has no rotation schedule, and it is not certain that the schedule was set. signing-keys failed: no key. Read the log of the function, fix the cause and rotate again: that is safe.',
    ),
  );
});

test('rotate has the schedule set, rotates to the end and lists the keys', async () => {
  const schedule = vi.fn(() => aws.scheduleRotation());
  aws.functions.set('signing-keys', schedule);
  const rotated = await run('signing-key rotate --yes --json');
  expect(schedule.mock.calls).toMatchObject([[{ action: 'schedule' }]]);
  expect(states(rotated.json().data)).toContain('current-kid current signs');
});

test.for([
  ['rotates', 'a second ago', -1 / 60, 0, ''],
  [
    'rejects, and says from when',
    'in a minute',
    1,
    1,
    'until then, a verifier may use a key set without the next key. Nothing was changed. Rotate again after that time. If a key leaked, revoke the key: that takes effect immediately.\n  admin --local signing-key list\n',
  ],
] as const)('rotate %s if the next key may sign %s', async ([, , minutes, code, reason]) => {
  await seedSigningKeys(aws, 'current-kid', minutes);
  expect(await run('signing-key rotate --yes')).toMatchObject({
    code,
    stderr: expect.stringContaining(reason),
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
      return [revocation];
    });
  });

  test('calls the function, and names the tokens that become invalid', async () => {
    const revoked = await run('signing-key revoke current-kid --yes --json');
    expect(asked).toMatchObject([{ action: 'revoke', kid: 'current-kid' }]);
    expect(revoked.json()).toEqual(revocation);
    expect(revoked.stderr).toContain('Every access token that it signed becomes invalid');
    expect(
      revoked.stderr.match(/has the current and the next key: then use signing-key revoke-all/g),
    ).toHaveLength(2);
  });

  test('revoke-all asks once for all keys, and prints how long tokens may fail', async () => {
    const revoked = await run('signing-key revoke-all --yes --json');
    expect(asked).toMatchObject([{ action: 'revoke-all' }]);
    expect(revoked.json()).toEqual({ data: [revocation] });
    expect(revoked.stderr).toContain('This revokes 3 signing keys.');
    expect(revoked.stderr).toMatch(
      /1 signing key revoked\. .*401 from this API for up to five minutes, .* for up to 11 minutes, .* 20 minutes to two hours/,
    );
  });

  test('an unknown kid revokes nothing', async () => {
    expect(await run('signing-key revoke unknown --yes')).toMatchObject(
      failure('No published signing key has the kid "unknown".\n  admin --local signing-key list\n'),
    );
    expect(asked).toEqual([]);
  });

  test('an error of the function is printed', async () => {
    aws.functions.set('signing-keys', () => Promise.reject(new Error('no')));
    const failed = await run('signing-key revoke current-kid --yes');
    expect(failed).toMatchObject(
      failure(
        'It is not certain that keys were revoked. signing-keys failed: no. Check the keys, and revoke those that are still published: that is safe.\n  admin --local signing-key list\n',
      ),
    );
  });
});
