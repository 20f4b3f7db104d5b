import { contractSuite } from '../../../tools/verify/contract-suite.ts';
import { waitForRevokedKey } from '../../../tools/verify/keys.ts';
import { outcomeOf } from '../../../tools/verify/outcome.ts';
import { checksOf } from '../../../tools/verify/program.ts';
import { openService, type Service } from '../../../tools/verify/service.ts';
import { useRunningStack } from '../../support/use-running-stack.ts';
import { operator, withShortWaits } from './support.ts';

/** Tests the checks of `npm run verify`, each against a service with a fault. */

const { deployment } = await useRunningStack({ throttled: true });

const checks = checksOf({ kind: 'stack', name: 'dev' });

const unstored = async () => ({ status: '200', etag: '', checksum: undefined });

/** Changes the recorded attributes of each upload. */
const recording =
  (change: object) =>
  (service: Service): Service =>
    operator({ upload: async (id) => ({ ...(await service.operator.upload(id)), ...change }) })(service);

/** The keys that the API serves, and the published ones. A check compares those published before with those served after. */
const keys = (served: string[], signing: string, next: string, kids: string[] = []) => ({
  kids,
  served,
  signing,
  next,
});

/**
 * Simulates an immediate revocation of `old`, the key of each token. `kids` are the keys that are served after
 * it, `signing` and `next` those that are published; `oldToken` is the response status for an old token.
 */
const revoking =
  (kids: string[], signing: string, next: string, oldToken = 401) =>
  (service: Service) => {
    const published = [keys([], 'old', 'new', ['old', 'new'])];
    return {
      ...operator({
        publishedKeys: async () => published.shift() ?? keys(kids, signing, next),
        revokeKey: async () => new Date(0),
      })(service),
      token: tokenOfOld,
      volumesStatus: async () => oldToken,
    };
  };

const tokenOf = (kid: string) =>
  `${Buffer.from(JSON.stringify({ kid })).toString('base64url')}.e30.signature`;
const tokenOfOld = async () => tokenOf('old');

const rotated = keys(['new', 'next', 'old'], 'next', 'new');

/**
 * Simulates an immediate rotation. `after` contains the keys published after it; `changes` replaces other
 * operations of the operator.
 */
const rotating = (after = rotated, changes: Partial<Service['operator']> = {}) => {
  let done = false;
  return operator({
    rotate: async () => {
      done = true;
      return [];
    },
    publishedKeys: async () => (done ? after : keys([], 'old', 'next', ['next', 'old'])),
    labels: async () => (done ? { new: ['AWSCURRENT'], old: ['AWSPREVIOUS'] } : { old: ['AWSCURRENT'] }),
    ...changes,
  });
};

/**
 * Simulates a rotation. The first request for the volumes, with a token of the previous key, returns the
 * status `old`; later requests return `fresh`.
 */
const responding =
  (old: number, fresh: number, after = rotated) =>
  (service: Service): Service => ({
    ...rotating(after)(service),
    token: tokenOfOld,
    volumesStatus: vi.fn<Service['volumesStatus']>().mockResolvedValueOnce(old).mockResolvedValue(fresh),
  });

const noneAsSent = /^failed: All 5 uploads were completed.* 0 have the size, ETag/;

const broken: readonly [string, string, (service: Service) => Service, RegExp][] = [
  [
    'cancel',
    'a cancelled URL takes content',
    (service) => ({ ...service, put: unstored }),
    /^failed: .*after the cancel got 200/,
  ],
  ['cancel', 'the upload stays issued', recording({ state: 'issued' }), /^failed: .* upload is issued/],
  ['cancel', 'content is stored', operator({ content: async () => 'content' }), /^failed: .*got 412/],
  ['events', 'another checksum is recorded', recording({ checksum_crc64nvme: 'other' }), noneAsSent],
  ['events', 'no version is recorded', recording({ version_id: 'null' }), noneAsSent],
  [
    'events',
    'S3 sends none',
    (service) => {
      let now = 0;
      return { ...service, put: unstored, now: () => (now += 100_000) };
    },
    /^failed: Upload \S+ was not recorded within ten minutes/,
  ],
  [
    'rotation',
    'the labels do not move',
    rotating(rotated, { labels: async () => ({ old: ['AWSCURRENT'] }) }),
    /^failed: .*AWSPREVIOUS did not follow/,
  ],
  [
    'rotation',
    'tokens of the key before are rejected',
    responding(401, 200),
    /^failed: .*old token got 401, and a new token 200/,
  ],
  [
    'rotation',
    'new tokens are rejected',
    responding(200, 401),
    /^failed: .*old token got 200, and a new token 401/,
  ],
  [
    'rotation',
    'no new key is published',
    responding(200, 200, keys(['next', 'old'], 'next', 'next')),
    /^failed: .*next signs, new keys published: 0, the old token got 200, and a new token 200/,
  ],
  [
    'rotation',
    'a key signs that nobody knew',
    responding(200, 200, keys(['new', 'old'], 'new', 'next')),
    /^failed: .*next does not sign, new keys published: 1, the old token got 200, and a new token 200/,
  ],
  [
    'revocation',
    'the key stays published',
    revoking(['old', 'new', 'newer'], 'new', 'newer'),
    /^failed: .* is still/,
  ],
  ['revocation', 'the key still signs', revoking(['new', 'newer'], 'old', 'newer'), /^failed: /],
  ['revocation', 'a key signs that nobody knew', revoking(['newer', 'x'], 'x', 'newer'), /^failed: .*No key/],
  ['revocation', 'no new key is next', revoking(['new'], 'new', 'new'), /^failed: .*no new key is next/],
  [
    'revocation',
    'its tokens still work',
    revoking(['new', 'newer'], 'new', 'newer', 200),
    /^failed: .*A key that was published before signs.* A token of the key got 200/,
  ],
  [
    'metrics',
    'CloudWatch counts nothing',
    (service) => {
      let now = 0;
      const change = {
        alarms: async () => [{ AlarmName: 'any' }],
        completedUploads: async () => {
          now += 100_000;
          return 3;
        },
      };
      return { ...operator(change)(service), now: () => now, sleep: () => service.sleep(20) };
    },
    /^failed: .*went from 3 to 3 in \d+ s/,
  ],
  [
    'reconciliation',
    'it fails at an upload',
    (service) =>
      operator({ reconcile: async () => ({ ...(await service.operator.reconcile()), failed: 2 }) })(service),
    /^failed: .*failed at 2/,
  ],
  [
    'throttle',
    'no request is rejected',
    (service) => ({ ...service, isLocal: false, descriptionStatus: async () => 200 }),
    /^failed: .*None of the requests of 24 rounds/,
  ],
  [
    'throttle',
    'a local run rejects no request',
    (service) => ({ ...service, descriptionStatus: async () => 200 }),
    /^inferred: .*started with --no-throttle/,
  ],
  [
    'doctor',
    'doctor finds a fault',
    operator({ diagnose: async () => [{ check: 'api', state: 'failed', message: 'No response.' }] }),
    /^failed: .*api: failed: No response/,
  ],
  [
    'bus-policy',
    'an operator can send events',
    operator({ tryToAnnounce: async () => undefined }),
    /^failed: .*does not deny them/,
  ],
  [
    'bus-policy',
    'the operator has no permission to send',
    operator({
      tryToAnnounce: async () => ({ name: 'AccessDenied', message: 'no identity-based policy allows' }),
    }),
    /^not checked: .*with events:PutEvents/,
  ],
  [
    'private-keys',
    'an operator can read them',
    operator({ tryToReadPrivateKeys: async () => undefined }),
    /^failed: .*does not deny them/,
  ],
  [
    'private-keys',
    'the operator has no permission to ask',
    operator({
      tryToReadPrivateKeys: async () => ({ name: 'AccessDenied', message: 'not authorized: GetSecretValue' }),
    }),
    /^not checked: .*as an administrator/,
  ],
];

test.for(broken)('%s: the verdict if %s', async ([id, , disturb, says]) => {
  const check = checks.find((one) => one.id === id) ?? expect.fail(id);
  const service = disturb(withShortWaits(await openService(deployment, 'verify-disturbed')));
  const { verdict, seen } = await outcomeOf(check, service);
  expect(`${verdict}: ${seen}`).toMatch(says);
});

test.for([
  ['every test passes', 0, ' Tests  2 passed (2)\n', 'passed', 'Tests: 2 passed (2).'],
  [
    'a test fails',
    1,
    ' FAIL  [4.1] a token\n FAIL  [4.1] a token\n Tests  1 failed | 1 passed (2)\n',
    'failed',
    'Tests: 1 failed | 1 passed (2); [4.1] a token.',
  ],
  ['it has no test', 0, 'nothing\n', 'failed', 'It ended with 0 before its first test.'],
] as const)('contract: the verdict if %s', async ([, code, output, verdict, seen]) => {
  const check = contractSuite({ kind: 'stack', name: 'dev' }, async () => ({ code, output }));
  const service = await openService(deployment, 'verify-contract');
  expect(await outcomeOf(check, service)).toEqual({ verdict, seen });
});

test('a run waits for the last function that signs with a revoked key', async () => {
  const publishedKeys = async () => keys([], 'new', 'next', ['new']);
  const open = await openService(deployment, 'verify-revoked');
  let [now, tokens] = [0, 0];
  const service = operator({ publishedKeys, keysChangedAt: async () => new Date(0) })({
    ...open,
    token: async () => tokenOf(tokens++ % 10 === 0 ? 'old' : 'new'),
    now: () => now,
    sleep: async (milliseconds) => (now += milliseconds),
  });
  await waitForRevokedKey(service, () => undefined);
  expect(now).toBe(300_000);
});

test('each check has a case in which it fails', () => {
  const elsewhere = ['contract', 'delivery'];
  const failing = broken.filter(([, , , says]) => says.source.startsWith('^failed'));
  const shown = new Set([...elsewhere, ...failing.map(([id]) => id)]);
  expect(checks.map(({ id }) => id).filter((id) => !shown.has(id))).toEqual([]);
});
