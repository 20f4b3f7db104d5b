import { setTimeout as delay } from 'node:timers/promises';
import { type AlarmChange, createClock } from 'cloud-assembly-emulator';
import { type Faults, setFaults } from 'cloud-assembly-emulator/faults';
import type { AlarmName } from '../../../lib/monitoring/alarms.ts';
import { rotateSecret } from '../../../tools/operator/clients/client.ts';
import { secretsManagerClient } from '../../../tools/operator/deployment/aws-clients.ts';
import { createFile, setExpected } from '../../../tools/operator/files/file.ts';
import { rotateSigningKey } from '../../../tools/operator/signing-keys/signing-key.ts';
import { replayUploads } from '../../../tools/operator/uploads/replay.ts';
import { createApiUser, type IssuedUrl } from '../../support/api-user.ts';
import { useRunningStack } from '../../support/use-running-stack.ts';

/**
 * Each alarm is raised by a real fault, which raises no other alarms except those for its effects. The alarms
 * end after the fault. `lib/alarms.test.ts` covers every metric that an alarm compares.
 */

interface Fault {
  readonly fault: string;
  /** Other alarms that the fault raises. */
  readonly also?: readonly AlarmName[];
  /** Causes the fault, with requests of clients. */
  readonly cause: () => Promise<unknown>;
  /** Follows the runbook, after the faults of AWS services have ended. */
  readonly mend?: () => Promise<unknown>;
}

const minute = 60_000;
const clock = createClock();
const eventChaos = { maxDelayMilliseconds: 0, doubled: 0, dropped: 0 };
/** All changes of alarms so far, the oldest first. */
const changes: AlarmChange[] = [];
/** True if the next query for due uploads takes so long that a run has no time left for any upload. */
let isDelayed = false;

/** The stack with a recipient of notifications. Clients can request five upload URLs per second. */
const stack = await useRunningStack({
  ignoresIfNoneMatch: true,
  throttled: true,
  context: { alarmEmail: 'operator@example.com', syncRateLimit: '5' },
  clock,
  eventChaos,
  onAlarm: (change) => changes.push(change),
  onCall: ({ operation }) => {
    if (isDelayed && operation === 'Query') {
      isDelayed = false;
      clock.advance(280_000);
    }
  },
});
const { deployment } = stack;
const { client, newFile, newToken, requestToken, sync, issue } = await createApiUser(stack);

const injectFaults = (faults: Faults) => setFaults(stack.stateDirectory, faults);
const evaluate = () => stack.evaluateAlarms(new Date(clock.now()));
/** Issues an upload URL with a new token, because the clock may be ahead by hours. */
const issueUrl = async () => issue(await newFile(), await newToken());

/** Faults by alarm. An alarm without a fault does not compile. */
const faults: Readonly<Record<AlarmName, readonly [Fault, ...Fault[]]>> = {
  ServerErrors: [
    {
      fault: 'DynamoDB responds to every call with 500, and a client asks for a token',
      cause: async () => {
        injectFaults({ dynamodb: 'failing' });
        expect((await requestToken()).status).toBe(500);
      },
    },
  ],
  SlowAnswers: [
    {
      fault: 'DynamoDB takes 5 s for two reads and two writes, and a client asks for an upload URL',
      cause: async () => {
        const [fileId, token] = [await newFile(), await newToken()];
        injectFaults({
          dynamodb: [
            { fault: 'slow', operation: 'GetItem', calls: 2 },
            { fault: 'slow', operation: 'PutItem', calls: 2 },
          ],
        });
        expect((await sync(fileId, token)).status).toBe(200);
      },
    },
  ],
  RequestsThrottled: [
    {
      fault: '240 requests come at the same time to a route that may be called five times a second',
      cause: async () => {
        const url = `${stack.baseUrl}/v0/files/some-file/sync`;
        const ask = async () => (await fetch(url, { method: 'POST' })).status;
        const statuses = await Promise.all(Array.from({ length: 240 }, ask));
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
      cause: async () => {
        const issued = await issueUrl();
        injectFaults({ dynamodb: 'failing' });
        await upload(issued);
      },
      mend: replay,
    },
  ],
  UploadsReconciled: [
    {
      fault: 'EventBridge loses the event of an upload, and the upload becomes due',
      cause: async () => {
        await loseUpload();
        await reconcile();
      },
    },
  ],
  UploadEventsMissing: [
    {
      fault: 'EventBridge loses the event of an upload, two minutes before the reconciliation runs',
      cause: async () => {
        await loseUpload();
        await reconcile(2);
      },
    },
  ],
  UploadsOverdue: [
    {
      fault: 'A run of the reconciliation leaves an upload that has been due for 40 minutes',
      cause: async () => {
        await issueUrl();
        isDelayed = true;
        await reconcile(105);
      },
      mend: () => reconcile(),
    },
  ],
  FilesOverdue: [
    {
      fault: 'A file gets no content for 15 minutes',
      cause: async () => {
        const file = { organisationId: 'acme', name: 'Orders', syncEnabled: true, fileId: 'orders' };
        await createFile(deployment, file);
        await setExpected(deployment, 'orders', { every_seconds: 900, grace_seconds: 0 });
        await reconcile(15);
      },
      mend: async () => {
        await setExpected(deployment, 'orders', undefined);
        await reconcile(5);
      },
    },
  ],
  EventsNotDelivered: [
    {
      fault: 'EventBridge loses the permission to invoke record-upload while an upload arrives',
      also: ['UploadsNotRecorded'],
      cause: async () => {
        const issued = await issueUrl();
        takePermissionAway('RecorderRecordFunction');
        await upload(issued);
      },
      mend: replay,
    },
    {
      fault: 'EventBridge loses the permission to invoke reconcile-uploads when its time comes',
      cause: async () => {
        takePermissionAway('ReconcilerReconcileFunction');
        await reconcile();
      },
      mend: () => reconcile(),
    },
  ],
  SecondVersions: [
    {
      fault: 'S3 takes a second PUT to an upload URL',
      cause: async () => {
        const issued = await issueUrl();
        await upload(issued, 'first');
        await upload(issued, 'second');
      },
    },
  ],
  KeysFailing: [
    {
      fault: 'Secrets Manager responds to writes with 500 while the keys are rotated',
      cause: async () => {
        injectFaults({ secretsmanager: [{ fault: 'failing', operation: 'PutSecretValue' }] });
        const secrets = await secretsManagerClient(deployment);
        await secrets.rotateSecret({ SecretId: deployment.outputs.SigningKeySecretArn });
      },
      mend: rotate,
    },
  ],
  BackgroundFailing: [
    {
      fault: 'DynamoDB and SQS respond to every call with 500 while an upload arrives',
      also: ['UploadsReconciled'],
      cause: async () => {
        const issued = await issueUrl();
        injectFaults({ dynamodb: 'failing', sqs: 'failing' });
        await upload(issued);
      },
      mend: () => reconcile(),
    },
  ],
  // Last, because the clock moves two days.
  SecretsEnding: [
    {
      fault: 'A client asks for a token with a secret that ends in 30 days',
      cause: async () => {
        const { client_secret } = await rotateSecret(deployment, client.client_id, 0, 30 * 86_400);
        expect((await requestToken({ client_secret })).status).toBe(200);
      },
      mend: async () => clock.advance(2 * 1440 * minute),
    },
  ],
};

expect((await requestToken()).status).toBe(200);
await evaluate();

const cases = Object.entries(faults).flatMap(([alarm, raisedBy]) =>
  raisedBy.map(({ also = [], ...fault }) => {
    const raises = [alarm, ...also];
    return [`${raises.join(' and ')}: ${fault.fault}`, { raises, ...fault }] as const;
  }),
);

test.for(cases)('%s', async ([, { raises, cause, mend = async () => undefined }]) => {
  const before = changes.length;
  const [first = ''] = raises;
  try {
    await cause();
    await expect.poll(() => evaluate().then(raisedNow)).toContain(first);
  } finally {
    // A fault without an alarm must not last until the next fault.
    injectFaults({});
    stack.usePolicies(stack.resources);
    await mend();
    await passMinutes(17);
  }
  const changed = changes.slice(before).map(({ alarm, to }) => `${alarmId(alarm)} ${to}`);
  expect(changed.toSorted()).toEqual(raises.flatMap((alarm) => [`${alarm} ALARM`, `${alarm} OK`]).toSorted());
  expect(raisedNow()).toEqual([]);
});

/** Advances the clock minute by minute, and evaluates the alarms each time. */
async function passMinutes(minutes: number): Promise<void> {
  for (let passed = 0; passed < minutes; passed += 1) {
    clock.advance(minute);
    await evaluate();
  }
}

/** Uploads content to an issued URL, and waits until its event is recorded or given up. */
async function upload({ put }: IssuedUrl, body = 'content'): Promise<void> {
  expect((await put(body)).status).toBe(200);
  await stack.eventsSettled();
}

/** Uploads a file whose event EventBridge loses. */
async function loseUpload(): Promise<void> {
  eventChaos.dropped = 1;
  await upload(await issueUrl());
  eventChaos.dropped = 0;
}

/** Runs the schedules at a time when all issued URLs have expired. */
function reconcile(inMinutes = 80): Promise<void> {
  // Metrics have the time of the function's clock, so the clock stays ahead.
  clock.advance(inMinutes * minute);
  return stack.runSchedules(new Date(clock.now()));
}

async function replay(): Promise<void> {
  const silent = { progress: () => undefined, note: () => undefined };
  expect(await replayUploads({ deployment, ...silent })).toMatchObject({ failed: 0 });
}

/** Rotates the signing key. Secrets Manager finishes a failed rotation before it begins another one. */
async function rotate(): Promise<void> {
  await vi.waitFor(() => rotateSigningKey(deployment), 60_000);
}

/** Removes EventBridge's permission to invoke a function. No other principal may invoke these functions. */
function takePermissionAway(functionId: string): void {
  const others = stack.resources.filter(
    ({ type, properties }) =>
      type !== 'AWS::Lambda::Permission' || !JSON.stringify(properties).includes(functionId),
  );
  stack.usePolicies(others);
}

function raisedNow(): readonly string[] {
  const states = new Map(changes.map(({ alarm, to }) => [alarmId(alarm), to]));
  return [...states].flatMap(([alarm, state]) => (state === 'ALARM' ? [alarm] : []));
}

/**
 * Returns the id of an alarm: its name without the name of the stack, the construct `Alarms` and the hash
 * that the CDK adds.
 */
function alarmId(name: string): string {
  return name.replace(/^(?:.*-)?Alarms(.*).{8}$/, '$1');
}
