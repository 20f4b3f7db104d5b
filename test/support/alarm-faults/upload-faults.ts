import * as v from 'valibot';
import type { Resource } from '../../../emulator/shared/resource-type.ts';
import { type AlarmFault, endFaults } from './alarm-fault.ts';
import { type FaultyStack, until } from './faulty-stack.ts';

const page = 'UploadsInTrouble';

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
  follows: ['EventsDropped'],
  page,
  cause: async ({ setFaults, issueUrl, upload }) => {
    const url = await issueUrl();
    setFaults({ dynamodb: 'failing', sqs: 'failing' });
    await upload(url);
  },
  mend: endFaults,
};

const recordingLate: AlarmFault = {
  alarm: 'RecordingLate',
  fault:
    'DynamoDB answers every call with 500 while an upload arrives, and Lambda tries again six minutes later',
  follows: [],
  page,
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

/** Takes EventBridge's permission to invoke the recorder away. */
function takePermissionAway({ takeAway, functionName }: FaultyStack): void {
  const isPermission = ({ type, properties }: Resource) =>
    type === 'AWS::Lambda::Permission' &&
    v.is(permissionSchema, properties) &&
    properties.FunctionName.endsWith(`:${functionName('recorder')}`);
  takeAway(isPermission);
}

const ruleLettersLost: AlarmFault = {
  alarm: 'DeadLettersLost',
  fault:
    'EventBridge loses the permission to invoke record-upload, and SQS answers 500, while an upload arrives',
  follows: ['EventsNotDelivered'],
  page,
  cause: async (faulty) => {
    const url = await faulty.issueUrl();
    takePermissionAway(faulty);
    faulty.setFaults({ sqs: 'failing' });
    await faulty.upload(url);
  },
  mend: async (faulty) => {
    faulty.takeAway();
    await endFaults(faulty);
  },
};

const eventsNotDelivered: AlarmFault = {
  alarm: 'EventsNotDelivered',
  fault: 'EventBridge loses the permission to invoke record-upload while an upload arrives',
  follows: ['UploadsNotRecorded'],
  page,
  cause: async (faulty) => {
    const url = await faulty.issueUrl();
    takePermissionAway(faulty);
    await faulty.upload(url);
  },
  mend: async ({ takeAway, replay }) => {
    takeAway();
    await replay();
  },
};

const secondVersions: AlarmFault = {
  alarm: 'SecondVersions',
  fault: 'S3 takes a second PUT to an upload URL',
  follows: [],
  page: 'SecondVersions',
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
  secondVersions,
];
