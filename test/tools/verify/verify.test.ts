import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { temporaryFolder } from 'cloud-assembly-emulator/test/temporary-folder';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import type { Deployment } from '../../../tools/operator/deployment/deployment.ts';
import { localDeployment } from '../../../tools/operator/deployment/local-deployment.ts';
import { getFile } from '../../../tools/operator/files/file.ts';
import { contractSuite, givenTarget, runSuite } from '../../../tools/verify/contract-suite.ts';
import { type Check, outcomeOf, withoutSecrets } from '../../../tools/verify/outcome.ts';
import { checksOf, type VerifyContext } from '../../../tools/verify/program.ts';
import { openService, type Service } from '../../../tools/verify/service.ts';
import { type LocalRun, startLocalRun } from '../../support/local-run.ts';
import { verify } from '../../support/run-verify.ts';

/** Tests `npm run verify` on one local run, with passed and failed checks. */

let run: LocalRun;
let deployment: Deployment;

beforeAll(async () => {
  run = await startLocalRun({ throttled: true });
  deployment = await localDeployment(run.stateDirectory);
});
afterAll(() => run?.stop());

const checks = checksOf({ kind: 'stack', name: 'dev' });

async function verifyLocalRun(parameters: readonly string[], context: Partial<VerifyContext> = {}) {
  const words = [...parameters, '--local', '--state', run.stateDirectory];
  const response = await verify(words, { openLocal: localDeployment, ...context });
  const lines = response.stdout.matchAll(/^(passed|failed|inferred|not checked|skipped) +([\w-]+): /gm);
  return { ...response, verdicts: Object.fromEntries([...lines].map(([, verdict, id]) => [id, verdict])) };
}

/** Replaces some operations of the operator. */
const operator =
  (change: Partial<Service['operator']>) =>
  (service: Service): Service => ({ ...service, operator: { ...service.operator, ...change } });

const unstored = async () => ({ status: '200', etag: '', checksum: undefined });

/** Changes the recorded attributes of each upload. */
const recording =
  (change: object) =>
  (service: Service): Service =>
    operator({ upload: async (id) => ({ ...(await service.operator.upload(id)), ...change }) })(service);

/**
 * Simulates an immediate revocation of `old`, the key of each token. `kids`, `signing` and `next` are the
 * keys published after it; `oldToken` is the response status for an old token.
 */
const revoking =
  (kids: readonly string[], signing: string, next: string, oldToken = 401) =>
  (service: Service) => {
    const published = [{ kids: ['old', 'new'], signing: 'old', next: 'new' }];
    return {
      ...operator({
        publishedKeys: async () => published.shift() ?? { kids: [...kids], signing, next },
        revokeKey: async () => new Date(0),
      })(service),
      token: tokenOfOld,
      volumesStatus: async () => oldToken,
    };
  };

const tokenOfOld = async () => `${Buffer.from('{"kid":"old"}').toString('base64url')}.e30.signature`;

const rotated = { kids: ['new', 'next', 'old'], signing: 'next', next: 'new' };

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
    publishedKeys: async () => (done ? after : { kids: ['next', 'old'], signing: 'old', next: 'next' }),
    labels: async () => (done ? { new: ['AWSCURRENT'], old: ['AWSPREVIOUS'] } : { old: ['AWSCURRENT'] }),
    ...changes,
  });
};

/**
 * Simulates a rotation. The first request for the volumes, with a token of the previous key, returns the
 * status `old`; later requests return `fresh`.
 */
const answering =
  (old: number, fresh: number, after = rotated) =>
  (service: Service): Service => ({
    ...rotating(after)(service),
    token: tokenOfOld,
    volumesStatus: vi.fn<Service['volumesStatus']>().mockResolvedValueOnce(old).mockResolvedValue(fresh),
  });

test('a local run passes, with a line for each check', async () => {
  // `npm test` runs the contract suite separately. A revocation would disturb the other tests here.
  const { code, stdout, stderr, verdicts } = await verifyLocalRun(['--skip', 'contract,revocation'], {
    disturb: (service) => ({
      ...service,
      sleep: (milliseconds) => service.sleep(Math.min(milliseconds, 200)),
    }),
  });
  expect([code, stdout, stderr]).toEqual([0, stdout, expect.not.stringContaining('was not deleted')]);
  expect(verdicts).toEqual({
    contract: 'skipped',
    cancel: 'passed',
    events: 'passed',
    delivery: 'inferred',
    metrics: 'passed',
    reconciliation: 'passed',
    throttle: 'passed',
    doctor: 'passed',
    'bus-policy': 'passed',
    'private-keys': 'passed',
    rotation: 'passed',
    revocation: 'skipped',
  });
  expect(stdout).toMatch(/\nAll checks passed\.\n$/);
  expect(stderr).toMatch(/^This verifies the local run\.\n- It creates a client and a file/);
  expect(stderr).toContain('rotates the signing key');
  expect(stderr).not.toContain('revokes the signing key');
});

test('a rotation minutes after another one is inferred', async () => {
  await verifyLocalRun(['--only', 'rotation']);
  const { code, stdout, verdicts } = await verifyLocalRun(['--only', 'rotation']);
  expect([code, verdicts.rotation]).toEqual([0, 'inferred']);
  expect(stdout).toContain('may sign from');
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
    answering(401, 200),
    /^failed: .*old token got 401, and a new token 200/,
  ],
  [
    'rotation',
    'new tokens are rejected',
    answering(200, 401),
    /^failed: .*old token got 200, and a new token 401/,
  ],
  [
    'rotation',
    'no new key is published',
    answering(200, 200, { kids: ['next', 'old'], signing: 'next', next: 'next' }),
    /^failed: .*next signs, new keys published: 0, the old token got 200, and a new token 200/,
  ],
  [
    'rotation',
    'a key signs that nobody knew',
    answering(200, 200, { kids: ['new', 'old'], signing: 'new', next: 'next' }),
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
      const alarm = { name: 'any', isRaised: false, notifies: [] };
      let now = 0;
      const change = {
        alarms: async () => [alarm],
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

test.for(broken)('%s: it says so when %s', async ([id, , disturb, says]) => {
  const check = checks.find((one) => one.id === id) ?? expect.fail(id);
  const service = disturb(await openService(deployment, 'verify-disturbed'));
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
] as const)('contract: it says so when %s', async ([, code, output, verdict, seen]) => {
  const check = contractSuite({ kind: 'stack', name: 'dev' }, async () => ({ code, output }));
  const service = await openService(deployment, 'verify-contract');
  expect(await outcomeOf(check, service)).toEqual({ verdict, seen });
});

test('contract: the suite is told which deployment it tests', async () => {
  const runner = join(await temporaryFolder(), 'runner.mjs');
  await writeFile(runner, 'console.log(process.env.FILE_SYNC_CONTRACT_TARGET); process.exitCode = 3;');
  const target = { kind: 'stack', name: 'dev' } as const;
  const output = `${JSON.stringify(target)}\n`;
  expect(await runSuite(target, 'pipe', runner)).toEqual({ code: 3, output });
});

test('--base-url gives the suite the clients and files that are named', () => {
  const env = {
    FILE_SYNC_CLIENT_ID: 'a',
    FILE_SYNC_CLIENT_SECRET: 'of a',
    FILE_SYNC_READER_CLIENT_ID: 'b',
    FILE_SYNC_READER_CLIENT_SECRET: 'of b',
  };
  const files = { file: 'd', fileNotEnabled: 'e', fileOfAnother: 'f' };
  const [client, reader] = ['a', 'b'].map((clientId) => ({ clientId, clientSecret: `of ${clientId}` }));
  const baseUrl = 'https://a.example';
  expect(givenTarget(`${baseUrl}/`, files, env)).toEqual({
    kind: 'given',
    baseUrl,
    fixtures: { client, reader, ...files },
  });
});

test('each check has a case in which it fails', () => {
  const elsewhere = ['contract', 'delivery'];
  const failing = broken.filter(([, , , says]) => says.source.startsWith('^failed'));
  const shown = new Set([...elsewhere, ...failing.map(([id]) => id)]);
  expect(checks.map(({ id }) => id).filter((id) => !shown.has(id))).toEqual([]);
});

describe('while functions sign with a key that was revoked at 12:00', () => {
  /**
   * Starts a run at 12:01. The key of each token is published from the given time on.
   *
   * @returns waits in seconds, stderr, and verdicts
   */
  async function waitsUntil(published: string) {
    let now = Date.parse('2026-03-01T12:01:00Z');
    const waits: number[] = [];
    const { stderr, verdicts } = await verifyLocalRun(['--only', 'cancel'], {
      disturb: (service) => ({
        ...operator({
          publishedKeys: () =>
            now < Date.parse(published)
              ? Promise.resolve({ kids: ['another'], signing: 'another', next: '' })
              : service.operator.publishedKeys(),
          keysChangedAt: async () => new Date('2026-03-01T12:00:00Z'),
        })(service),
        now: () => now,
        sleep: async (milliseconds) => {
          waits.push(milliseconds / 1000);
          now += milliseconds;
        },
      }),
    });
    return { waits, stderr, verdicts };
  }

  test('a run waits until the functions sign with another key', async () => {
    const { waits, verdicts } = await waitsUntil('2026-03-01T12:02:00Z');
    expect(waits).toEqual([35, 35]);
    expect(verdicts.cancel).toBe('passed');
  });

  test('a run waits for five minutes at most, and says until when', async () => {
    const { waits, stderr, verdicts } = await waitsUntil('2026-03-01T13:00:00Z');
    expect(waits).toEqual([35, 35, 35, 35, 35, 35, 30]);
    expect(stderr).toContain('may sign with a revoked key until 2026-03-01T12:05:00.000Z. Waiting.\n');
    expect(verdicts.cancel).toBe('passed');
  });
});

test('a failed check makes the command fail, and stops no other', async () => {
  const { code, stdout, verdicts } = await verifyLocalRun(['--only', 'cancel,events,private-keys'], {
    disturb: operator({
      cancel: () => Promise.reject(new Error('no network')),
      tryToReadPrivateKeys: async () => undefined,
    }),
  });
  expect(code).toBe(1);
  expect(verdicts).toMatchObject({
    cancel: 'not checked',
    events: 'passed',
    'private-keys': 'failed',
  });
  expect(stdout).toMatch(/\nFailed or not checked: cancel, private-keys\.\n$/);
});

test('what was made is deleted, also when the run is stopped', async () => {
  const stop = new AbortController();
  let fileId = '';
  const { code, stdout, stderr } = await verifyLocalRun(['--only', 'cancel,private-keys'], {
    disturb: (service) => {
      fileId = service.fileId;
      return { ...service, put: (...sent) => service.put(...sent).finally(() => stop.abort()) };
    },
    signal: stop.signal,
  });
  expect([code, stdout]).toEqual([130, expect.stringMatching(/^The run was stopped\./m)]);
  expect(stderr).not.toContain('was not deleted');
  const file = await getFile(deployment, fileId);
  expect(file.deleted_at).toEqual(expect.any(String));
  expect(stderr).toContain(`run: organisation delete ${file.organisation_id}`);
});

test('if it cannot delete what it made, it says so', async () => {
  const sleep = () => Promise.reject(new Error('no network'));
  const { stderr } = await verifyLocalRun(['--only', 'cancel'], { sleep });
  expect(stderr).toMatch(
    /Organisation (verify-\w+) was not deleted: no network\. Delete it with: organisation delete \1\n/,
  );
});

test.for<[readonly string[], string]>([
  [[], 'add --stack NAME, --local'],
  [['--local', '--base-url', 'http://127.0.0.1:9'], '--base-url, --stack or --local'],
  [['--base-url', 'ftp://127.0.0.1'], 'not an http or https URL'],
  [['--base-url', 'http://127.0.0.1:9'], 'Set FILE_SYNC_CLIENT_ID'],
  [['--local', '--stack', 'dev'], '--stack or --local'],
  [['--local', '--skip', 'rotations'], 'which is not a check'],
  [['--locale'], 'unknown option'],
  [['--stack', 'dev', '--only', 'rotation'], 'add --yes'],
  [['--stack', 'dev', '--only', 'revocation'], 'add --yes'],
])('invalid arguments end it with 2: %j', async ([parameters, says]) => {
  const { code, stdout, stderr } = await verify(parameters, { openStack: async () => deployment });
  expect([code, stdout, stderr]).toEqual([2, '', expect.stringContaining(says)]);
});

test('the help and docs/aws-facts.md name checks that there are', async () => {
  const ids = checks.map(({ id }: Check) => id);
  const help = (await verify(['--help'], {})).stdout.replace(/\s+/g, ' ');
  expect(help).toContain(`commas): ${ids.join(', ')} With`);
  const page = await readFile(new URL('../../../docs/aws-facts.md', import.meta.url), 'utf8');
  const named = [...page.matchAll(/^\| `[a-z0-9-]+` \| .+ \| (?:no|`([a-z-]+)`) \|$/gm)];
  expect(named.length).toBe([...page.matchAll(/^\| `/gm)].length);
  expect(named.filter(([, id]) => id !== undefined && !ids.includes(id))).toEqual([]);
});

test('what it prints shows no secret', () => {
  const shown = {
    'token eyJhbGciOiJFUzI1NiJ9.eyJzdWIiOiIxIn0.c2ln!': 'token (a token, not shown)!',
    'PUT https://a.example/uploads/1?X-Amz-Signature=abc': 'PUT https://a.example/uploads/1?(not shown)',
    'X-Amz-Signature=0123&X-Amz-Expires=60': 'X-Amz-Signature=(not shown)&X-Amz-Expires=60',
    'x-amz-security-token=abc+d': 'x-amz-security-token=(not shown)',
  };
  expect(Object.keys(shown).map(withoutSecrets)).toEqual(Object.values(shown));
});
