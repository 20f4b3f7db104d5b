import { getFile } from '../../../tools/operator/files/file.ts';
import type { VerifyContext } from '../../../tools/verify/program.ts';
import type { Service } from '../../../tools/verify/service.ts';
import { forAnySpeed, verify } from '../../support/run-verify.ts';
import { useRunningStack } from '../../support/use-running-stack.ts';
import { operator, withShortWaits } from './support.ts';

/** Tests `npm run verify` on one local run. */

const { deployment, endIdleEnvironments } = await useRunningStack({
  throttled: true,
  changeTemplate: forAnySpeed,
});

/** Waits 50 ms for an upload or a metric. During a longer wait, the functions end. */
const impatient = (service: Service): Service => ({
  ...service,
  sleep: (milliseconds) =>
    milliseconds > 10_000 ? endIdleEnvironments() : withShortWaits(service).sleep(milliseconds),
});

async function verifyLocalRun(parameters: readonly string[], context: Partial<VerifyContext> = {}) {
  const response = await verify([...parameters, '--local'], {
    openLocal: async () => deployment,
    disturb: impatient,
    ...context,
  });
  const lines = response.stdout.matchAll(/^(passed|failed|inferred|not checked|skipped) +([\w-]+): /gm);
  return { ...response, verdicts: Object.fromEntries([...lines].map(([, verdict, id]) => [id, verdict])) };
}

test('a local run passes, with a line for each check', async () => {
  // `npm test` runs the contract suite separately. A revocation would disturb the other tests here.
  const { code, stdout, stderr, verdicts } = await verifyLocalRun(['--skip', 'contract,revocation']);
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

test('a run waits until no function signs with a revoked key, and prints that', async () => {
  let now = Date.parse('2026-03-01T12:01:00Z');
  const waits: number[] = [];
  const { stderr, verdicts } = await verifyLocalRun(['--only', 'cancel'], {
    disturb: (service) => ({
      ...operator({
        publishedKeys: () =>
          now < Date.parse('2026-03-01T12:02:00Z')
            ? Promise.resolve({ kids: ['another'], served: [], signing: 'another', next: '' })
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
  expect(waits).toEqual([35, 35]);
  expect(stderr).toContain('may sign with a revoked key until 2026-03-01T12:05:00.000Z. Waiting.\n');
  expect(verdicts.cancel).toBe('passed');
});

test('the command fails after a failed check, and runs the other checks', async () => {
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

test('created entities are deleted, also when the run is stopped', async () => {
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

test('a failed deletion of created entities is printed', async () => {
  const sleep = () => Promise.reject(new Error('no network'));
  const { stderr } = await verifyLocalRun(['--only', 'cancel'], { sleep });
  expect(stderr).toMatch(
    /Organisation (verify-\w+) was not deleted: no network\. Delete it with: organisation delete \1\n/,
  );
});
