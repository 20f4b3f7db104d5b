import * as v from 'valibot';
import type { Resource } from '../../../emulator/shared/resource-type.ts';
import { type AlarmFault, endFaults } from './alarm-fault.ts';
import { type FaultyStack, type FunctionPart, until } from './faulty-stack.ts';

const page = 'UploadsInTrouble';

/** Ends the faults, and has recorded what nobody kept. */
async function reconcileAfterFaults(faulty: FaultyStack): Promise<void> {
  await endFaults(faulty);
  faulty.takeAway();
  await faulty.reconcile();
}

/** Ends the faults, and has recorded what waits. */
async function replayAfterFaults(faulty: FaultyStack): Promise<void> {
  await endFaults(faulty);
  await faulty.replay();
}

const uploadsNotRecorded: AlarmFault = {
  alarm: 'UploadsNotRecorded',
  fault: 'DynamoDB answers every call with 500 while an upload arrives, and at both retries of Lambda',
  follows: ['EventsDropped'],
  page,
  stack: 'usual',
  cause: async ({ setFaults, issueUrl, upload }) => {
    const url = await issueUrl();
    setFaults({ dynamodb: 'failing' });
    await upload(url);
  },
  mend: replayAfterFaults,
};

const functionLettersLost: AlarmFault = {
  alarm: 'DeadLettersLost',
  fault: 'DynamoDB and SQS answer every call with 500 while an upload arrives',
  // Its end is that the reconciliation records the upload, which it says.
  follows: ['EventsDropped', 'UploadsReconciled'],
  page,
  stack: 'usual',
  cause: async ({ setFaults, issueUrl, upload }) => {
    const url = await issueUrl();
    setFaults({ dynamodb: 'failing', sqs: 'failing' });
    await upload(url);
  },
  mend: reconcileAfterFaults,
};

const recordingLate: AlarmFault = {
  alarm: 'RecordingLate',
  fault:
    'DynamoDB answers every call with 500 while an upload arrives, and Lambda tries again six minutes later',
  follows: [],
  page,
  stack: 'usual',
  cause: async ({ setFaults, issueUrl, clock, errors, functionName, stack }) => {
    const url = await issueUrl();
    const before = errors.length;
    setFaults({ dynamodb: 'failing' });
    await fetch(url, { method: 'PUT', body: 'content' });
    await until('the recorder failed', () => errors.slice(before).includes(functionName('recorder')));
    clock.advance(6 * 60_000);
    setFaults({});
    await stack.eventsSettled();
  },
  mend: async () => undefined,
};

const eventsDropped: AlarmFault = {
  alarm: 'EventsDropped',
  fault: 'The concurrency of record-upload is set to 0 while an upload arrives',
  follows: ['UploadsNotRecorded'],
  page,
  stack: 'usual',
  cause: async ({ reserve, issueUrl, upload }) => {
    const url = await issueUrl();
    await reserve('recorder', 0);
    await upload(url);
  },
  mend: async ({ reserve, replay }) => {
    await reserve('recorder', undefined);
    await replay();
  },
};

const permissionSchema = v.object({ Principal: v.literal('events.amazonaws.com'), FunctionName: v.string() });

/** Takes EventBridge's permission to invoke a function away. */
function takePermissionAway({ takeAway, functionName }: FaultyStack, part: FunctionPart): void {
  const isPermission = ({ type, properties }: Resource) =>
    type === 'AWS::Lambda::Permission' &&
    v.is(permissionSchema, properties) &&
    properties.FunctionName.endsWith(`:${functionName(part)}`);
  takeAway(isPermission);
}

const ruleLettersLost: AlarmFault = {
  alarm: 'DeadLettersLost',
  fault:
    'EventBridge loses the permission to invoke record-upload, and SQS answers 500, while an upload arrives',
  follows: ['EventsNotDelivered', 'UploadsReconciled'],
  page,
  stack: 'usual',
  cause: async (faulty) => {
    const url = await faulty.issueUrl();
    takePermissionAway(faulty, 'recorder');
    faulty.setFaults({ sqs: 'failing' });
    await faulty.upload(url);
  },
  mend: reconcileAfterFaults,
};

const eventsNotDelivered: AlarmFault = {
  alarm: 'EventsNotDelivered',
  fault: 'EventBridge loses the permission to invoke record-upload while an upload arrives',
  follows: ['UploadsNotRecorded'],
  page,
  stack: 'usual',
  cause: async (faulty) => {
    const url = await faulty.issueUrl();
    takePermissionAway(faulty, 'recorder');
    await faulty.upload(url);
  },
  mend: async ({ takeAway, replay }) => {
    takeAway();
    await replay();
  },
};

const uploadsReconciled: AlarmFault = {
  alarm: 'UploadsReconciled',
  fault: 'EventBridge loses the event of an upload, and the upload becomes due',
  follows: [],
  page,
  stack: 'usual',
  cause: async ({ loseEvents, issueUrl, upload, reconcile }) => {
    loseEvents(true);
    await upload(await issueUrl());
    loseEvents(false);
    await reconcile();
  },
  mend: async () => undefined,
};

const reconciliationWithoutTables: AlarmFault = {
  alarm: 'ReconciliationFailed',
  fault: 'DynamoDB answers every call with 500 while the reconciliation runs',
  follows: [],
  page,
  stack: 'usual',
  cause: async ({ setFaults, reconcile }) => {
    setFaults({ dynamodb: 'failing' });
    await reconcile();
  },
  mend: reconcileAfterFaults,
};

const reconciliationThrottled: AlarmFault = {
  alarm: 'ReconciliationFailed',
  fault: 'The concurrency of reconcile-uploads is set to 0 when its time comes',
  follows: [],
  page,
  stack: 'usual',
  cause: async ({ reserve, reconcile }) => {
    await reserve('reconciler', 0);
    await reconcile();
  },
  mend: ({ reserve }) => reserve('reconciler', undefined),
};

const reconciliationForbidden: AlarmFault = {
  alarm: 'ReconciliationFailed',
  fault: 'EventBridge loses the permission to invoke reconcile-uploads when its time comes',
  follows: [],
  page,
  stack: 'usual',
  cause: async (faulty) => {
    takePermissionAway(faulty, 'reconciler');
    await faulty.reconcile();
  },
  mend: reconcileAfterFaults,
};

const secondVersions: AlarmFault = {
  alarm: 'SecondVersions',
  fault: 'S3 takes a second PUT to an upload URL',
  follows: [],
  page: 'SecondVersions',
  stack: 'usual',
  cause: async ({ issueUrl, upload }) => {
    const url = await issueUrl();
    await upload(url, 'first');
    await upload(url, 'second');
  },
  mend: async () => undefined,
};

export const uploadFaults: readonly AlarmFault[] = [
  uploadsNotRecorded,
  functionLettersLost,
  ruleLettersLost,
  recordingLate,
  eventsDropped,
  eventsNotDelivered,
  uploadsReconciled,
  reconciliationWithoutTables,
  reconciliationThrottled,
  reconciliationForbidden,
  secondVersions,
];
