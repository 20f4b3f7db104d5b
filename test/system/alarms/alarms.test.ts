import { setTimeout as delay } from 'node:timers/promises';
import type { AlarmName } from '../../../lib/monitoring/alarms.ts';
import { rotateSecret } from '../../../tools/operator/clients/client.ts';
import { secretsManagerClient } from '../../../tools/operator/deployment/aws-clients.ts';
import { createFile, setExpected } from '../../../tools/operator/files/file.ts';
import { rotateSigningKey } from '../../../tools/operator/signing-keys/signing-key.ts';
import { replayUploads } from '../../../tools/operator/uploads/replay.ts';
import { type FaultyStack, startFaultyStack } from '../../support/faulty-stack.ts';

/**
 * Each alarm is raised by a real fault, which raises no other alarms except those for its effects. The alarms
 * end after the fault. `lib/alarms.test.ts` covers every metric that an alarm compares.
 */

interface Fault {
  readonly fault: string;
  /** Other alarms that the fault raises. */
  readonly also?: readonly AlarmName[];
  /** Causes the fault, with requests of clients. */
  readonly cause: (faulty: FaultyStack) => Promise<unknown>;
  /** Follows the runbook, after the faults of AWS services have ended. */
  readonly mend?: (faulty: FaultyStack) => Promise<unknown>;
}

const minute = 60_000;

/** Faults by alarm. An alarm without a fault does not compile. */
const faults: Readonly<Record<AlarmName, readonly [Fault, ...Fault[]]>> = {
  ServerErrors: [
    {
      fault: 'DynamoDB responds to every call with 500, and a client asks for a token',
      cause: async ({ setFaults, requestToken }) => {
        setFaults({ dynamodb: 'failing' });
        expect(await requestToken()).toBe(500);
      },
    },
  ],
  SlowAnswers: [
    {
      fault: 'DynamoDB takes 5 s for two reads and two writes, and a client asks for an upload URL',
      cause: async ({ setFaults, token, sync }) => {
        const known = await token();
        setFaults({
          dynamodb: [
            { fault: 'slow', operation: 'GetItem', calls: 2 },
            { fault: 'slow', operation: 'PutItem', calls: 2 },
          ],
        });
        expect((await sync(known)).status).toBe(200);
      },
    },
  ],
  RequestsThrottled: [
    {
      fault: '120 requests come at the same time to a route that may be called five times a second',
      cause: async ({ stack }) => {
        const url = `${stack.baseUrl}/v0/files/some-file/sync`;
        const ask = async () => (await fetch(url, { method: 'POST' })).status;
        const statuses = await Promise.all(Array.from({ length: 120 }, ask));
        expect(statuses.filter((status) => status === 429).length).toBeGreaterThan(100);
        // Waits until the route accepts requests again.
        await delay(1000);
      },
    },
  ],
  UploadsNotRecorded: [
    {
      fault:
        'DynamoDB responds to every call with 500 while an upload arrives, and at both retries of Lambda',
      cause: async ({ setFaults, issueUrl, upload }) => {
        const url = await issueUrl();
        setFaults({ dynamodb: 'failing' });
        await upload(url);
      },
      mend: replay,
    },
  ],
  UploadsReconciled: [
    {
      fault: 'EventBridge loses the event of an upload, and the upload becomes due',
      cause: async (faulty) => {
        await loseUpload(faulty);
        await reconcile(faulty);
      },
    },
  ],
  UploadEventsMissing: [
    {
      fault: 'EventBridge loses the event of an upload, two minutes before the reconciliation runs',
      cause: async (faulty) => {
        await loseUpload(faulty);
        await reconcile(faulty, 2);
      },
    },
  ],
  UploadsOverdue: [
    {
      fault: 'A run of the reconciliation leaves an upload that has been due for 40 minutes',
      cause: async (faulty) => {
        await faulty.issueUrl();
        faulty.delayReconciliation();
        await reconcile(faulty, 105);
      },
      mend: reconcile,
    },
  ],
  FilesOverdue: [
    {
      fault: 'A file gets no content for 15 minutes',
      cause: async (faulty) => {
        const { deployment } = faulty.stack;
        const file = { organisationId: 'acme', name: 'Orders', syncEnabled: true, fileId: 'orders' };
        await createFile(deployment, file);
        await setExpected(deployment, 'orders', { every_seconds: 900, grace_seconds: 0 });
        await reconcile(faulty, 15);
      },
      mend: async (faulty) => {
        await setExpected(faulty.stack.deployment, 'orders', undefined);
        await reconcile(faulty, 5);
      },
    },
  ],
  EventsNotDelivered: [
    {
      fault: 'EventBridge loses the permission to invoke record-upload while an upload arrives',
      also: ['UploadsNotRecorded'],
      cause: async (faulty) => {
        const url = await faulty.issueUrl();
        takePermissionAway(faulty, 'RecorderRecordFunction');
        await faulty.upload(url);
      },
      mend: replay,
    },
    {
      fault: 'EventBridge loses the permission to invoke reconcile-uploads when its time comes',
      cause: async (faulty) => {
        takePermissionAway(faulty, 'ReconcilerReconcileFunction');
        await reconcile(faulty);
      },
      mend: reconcile,
    },
  ],
  SecondVersions: [
    {
      fault: 'S3 takes a second PUT to an upload URL',
      cause: async ({ issueUrl, upload }) => {
        const url = await issueUrl();
        await upload(url, 'first');
        await upload(url, 'second');
      },
    },
  ],
  KeysFailing: [
    {
      fault: 'Secrets Manager responds to writes with 500 while the keys are rotated',
      cause: async ({ stack, setFaults }) => {
        setFaults({ secretsmanager: [{ fault: 'failing', operation: 'PutSecretValue' }] });
        const secrets = await secretsManagerClient(stack.deployment);
        await secrets.rotateSecret({ SecretId: stack.deployment.outputs.SigningKeySecretArn });
      },
      mend: rotate,
    },
  ],
  BackgroundFailing: [
    {
      fault: 'DynamoDB and SQS respond to every call with 500 while an upload arrives',
      also: ['UploadsReconciled'],
      cause: async ({ setFaults, issueUrl, upload }) => {
        const url = await issueUrl();
        setFaults({ dynamodb: 'failing', sqs: 'failing' });
        await upload(url);
      },
      mend: reconcile,
    },
  ],
  // Last, because the clock moves two days.
  SecretsEnding: [
    {
      fault: 'A client asks for a token with a secret that ends in 30 days',
      cause: async ({ stack, client, requestToken }) => {
        const { deployment } = stack;
        const { client_secret } = await rotateSecret(deployment, client.client_id, 0, 30 * 86_400);
        expect(await requestToken({ client_secret })).toBe(200);
      },
      mend: async ({ clock }) => clock.advance(2 * 1440 * minute),
    },
  ],
};

const faulty = await startFaultyStack();
afterAll(faulty.close);
expect(await faulty.requestToken()).toBe(200);
await faulty.evaluate();

const cases = Object.entries(faults).flatMap(([alarm, raisedBy]) =>
  raisedBy.map(({ also = [], ...fault }) => {
    const raises = [alarm, ...also];
    return [`${raises.join(' and ')}: ${fault.fault}`, { raises, ...fault }] as const;
  }),
);

test.for(cases)('%s', async ([, { raises, cause, mend = async () => undefined }]) => {
  const before = faulty.changes.length;
  const [first = ''] = raises;
  try {
    await cause(faulty);
    await expect.poll(() => faulty.evaluate().then(raisedNow)).toContain(first);
  } finally {
    // A fault without an alarm must not last until the next fault.
    faulty.setFaults({});
    faulty.stack.usePolicies(faulty.stack.resources);
    await mend(faulty);
    await faulty.pass(17);
  }
  const changes = faulty.changes.slice(before).map(({ alarm, to }) => `${alarmId(alarm)} ${to}`);
  expect(changes.toSorted()).toEqual(raises.flatMap((alarm) => [`${alarm} ALARM`, `${alarm} OK`]).toSorted());
  expect(raisedNow()).toEqual([]);
});

/** Uploads a file whose event EventBridge loses. */
async function loseUpload({ loseEvents, upload, issueUrl }: FaultyStack): Promise<void> {
  loseEvents(true);
  await upload(await issueUrl());
  loseEvents(false);
}

/** Runs the schedules at a time when all issued URLs have expired. */
function reconcile({ stack, clock }: FaultyStack, inMinutes = 80): Promise<void> {
  // Metrics have the time of the function's clock, so the clock stays ahead.
  clock.advance(inMinutes * minute);
  return stack.runSchedules(new Date(clock.now()));
}

async function replay({ stack }: FaultyStack): Promise<void> {
  const silent = { progress: () => undefined, note: () => undefined };
  expect(await replayUploads({ deployment: stack.deployment, ...silent })).toMatchObject({ failed: 0 });
}

/** Rotates the signing key. Secrets Manager finishes a failed rotation before it begins another one. */
async function rotate({ stack }: FaultyStack): Promise<void> {
  await vi.waitFor(() => rotateSigningKey(stack.deployment), 60_000);
}

/** Removes EventBridge's permission to invoke a function. No other principal may invoke these functions. */
function takePermissionAway({ stack }: FaultyStack, functionId: string): void {
  const others = stack.resources.filter(
    ({ type, properties }) =>
      type !== 'AWS::Lambda::Permission' || !JSON.stringify(properties).includes(functionId),
  );
  stack.usePolicies(others);
}

function raisedNow(): readonly string[] {
  const states = new Map(faulty.changes.map(({ alarm, to }) => [alarmId(alarm), to]));
  return [...states].flatMap(([alarm, state]) => (state === 'ALARM' ? [alarm] : []));
}

/**
 * Returns the id of an alarm: its name without the name of the stack, the construct `Alarms` and the hash
 * that the CDK adds.
 */
function alarmId(name: string): string {
  return name.replace(/^(?:.*-)?Alarms(.*).{8}$/, '$1');
}
