import { DynamoDBClient, GetItemCommand } from '@aws-sdk/client-dynamodb';
import { DeleteMessageCommand, ReceiveMessageCommand, SQSClient } from '@aws-sdk/client-sqs';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { setFaults } from '../../../packages/emulator/endpoint/faults.ts';
import { cancelUpload } from '../../../tools/operator/cancel-upload.ts';
import { createClient } from '../../../tools/operator/clients.ts';
import { createFile, getFile } from '../../../tools/operator/files.ts';
import { reconcileUploads } from '../../../tools/operator/reconcile-uploads.ts';
import { getUpload } from '../../../tools/operator/uploads.ts';
import { admin } from '../../support/run-admin.ts';
import { type RunningStack, startRunningStack } from '../../support/running-stack.ts';

/** What becomes of uploads whose events never come: nobody helps, and the schedule finds them. */

const chaos = { maximumDelayMilliseconds: 0, doubled: 0, dropped: 0 };

let stack: RunningStack;
let token: string;

beforeAll(async () => {
  stack = await startRunningStack({ eventChaos: chaos });
  const { client_id, client_secret } = await createClient(stack.deployment, {
    organisationId: 'acme',
    name: 'Test',
    scopes: ['sync:create'],
  });
  const answer = await fetch(`${stack.baseUrl}/oauth/token`, {
    method: 'POST',
    body: new URLSearchParams({ grant_type: 'client_credentials', client_id, client_secret }),
  });
  token = ((await answer.json()) as { access_token: string }).access_token;
});
afterEach(async () => {
  chaos.dropped = 0;
  await setFaults(stack.stateDirectory, {});
});
afterAll(() => stack?.close());

async function newFile(): Promise<string> {
  const file = { organisationId: 'acme', name: 'f.bin', syncEnabled: true };
  return (await createFile(stack.deployment, file)).file_id;
}

async function issue(fileId: string) {
  const answer = await fetch(`${stack.baseUrl}/v0/files/${fileId}/sync`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}` },
  });
  const { data } = (await answer.json()) as { data: { upload_url: string } };
  const uploadId = new URL(data.upload_url).pathname.split('/').at(-1) ?? '';
  const put = async (body: string) => (await fetch(data.upload_url, { method: 'PUT', body })).status;
  return { uploadId, put };
}

const hour = 3_600_000;
const hoursFromNow = (hours: number) => new Date(Date.now() + hours * hour);
const upload = (uploadId: string) => getUpload(stack.deployment, uploadId);
const events = (uploadId: string) =>
  stack.sentEvents.filter(({ detail }) => detail.upload_id === uploadId).map((event) => event['detail-type']);

async function stored(table: 'FilesTableName' | 'UploadsTableName', keyName: string, id: string) {
  const client = new DynamoDBClient(stack.deployment.awsConfig);
  const TableName = stack.deployment.outputs[table];
  const { Item = {} } = await client.send(
    new GetItemCommand({ TableName, Key: { [keyName]: { S: id } }, ConsistentRead: true }),
  );
  client.destroy();
  return Item;
}

/** Whether the service still has something to do for an upload. */
const isDue = async (uploadId: string) =>
  (await stored('UploadsTableName', 'upload_id', uploadId)).due_at !== undefined;

describe('an upload whose event is lost', () => {
  test('is recorded and announced when its hour is over, and not before', async () => {
    chaos.dropped = 1;
    const fileId = await newFile();
    const { uploadId, put } = await issue(fileId);
    expect(await put('content')).toBe(200);
    await stack.eventsSettled();
    await stack.runSchedules(hoursFromNow(1));
    expect(await upload(uploadId)).toMatchObject({ state: 'issued' });
    await stack.runSchedules(hoursFromNow(1.3));
    expect(await upload(uploadId)).toMatchObject({ state: 'completed', size: 7 });
    expect((await getFile(stack.deployment, fileId)).content).toMatchObject({ upload_id: uploadId, size: 7 });
    expect(events(uploadId)).toEqual(['Upload Completed']);
    expect(await isDue(uploadId)).toBe(false);
    await stack.runSchedules(hoursFromNow(30));
    expect(events(uploadId)).toEqual(['Upload Completed']);
  });

  test('replaces the content before it, which gets its tombstone', async () => {
    const fileId = await newFile();
    const first = await issue(fileId);
    await first.put('first');
    await stack.eventsSettled();
    chaos.dropped = 1;
    const second = await issue(fileId);
    await second.put('the second');
    await stack.eventsSettled();
    await stack.runSchedules(hoursFromNow(2));
    expect(await upload(first.uploadId)).toMatchObject({
      state: 'completed',
      superseded_at: expect.any(String),
    });
    expect((await getFile(stack.deployment, fileId)).content?.upload_id).toBe(second.uploadId);
    expect((await stored('FilesTableName', 'file_id', fileId)).superseded).toEqual({ L: [] });
    expect(await isDue(second.uploadId)).toBe(false);
  });

  test('is empty content too, and no tombstone', async () => {
    chaos.dropped = 1;
    const { uploadId, put } = await issue(await newFile());
    await put('');
    await stack.eventsSettled();
    await stack.runSchedules(hoursFromNow(2));
    expect(await upload(uploadId)).toMatchObject({ state: 'completed', size: 0 });
  });

  test('is found by the command of an operator as well, which says how many', async () => {
    chaos.dropped = 1;
    const { uploadId, put } = await issue(await newFile());
    await put('content');
    await stack.eventsSettled();
    const none = await admin(stack.deployment, ['--local', 'upload', 'reconcile']);
    expect([none.code, none.stdout]).toEqual([0, '0 uploads recorded, 0 found unused.\n']);
    const report = await reconcileUploads(stack.deployment, hoursFromNow(2));
    expect(report).toEqual({
      recorded: 1,
      expired: 0,
      settled: 0,
      current: 0,
      failed: 0,
      unfinished: false,
    });
    expect((await upload(uploadId)).state).toBe('completed');
  });
});

describe('an upload whose dead letter is gone', () => {
  test('is recorded when its cause is over', async () => {
    const { uploadId, put } = await issue(await newFile());
    const { FilesTableName, DeadLetterQueueUrl: QueueUrl } = stack.deployment.outputs;
    await setFaults(stack.stateDirectory, {
      dynamodb: [{ fault: 'failing', operation: 'UpdateItem', table: FilesTableName }],
    });
    await put('content');
    await stack.eventsSettled();
    const sqs = new SQSClient(stack.deployment.awsConfig);
    const { Messages: [letter] = [] } = await sqs.send(new ReceiveMessageCommand({ QueueUrl }));
    await sqs.send(new DeleteMessageCommand({ QueueUrl, ReceiptHandle: letter?.ReceiptHandle }));
    sqs.destroy();
    await stack.runSchedules(hoursFromNow(2));
    expect((await upload(uploadId)).state).toBe('issued');
    await setFaults(stack.stateDirectory, {});
    await stack.runSchedules(hoursFromNow(2.5));
    expect((await upload(uploadId)).state).toBe('issued');
    await stack.runSchedules(hoursFromNow(3.5));
    expect((await upload(uploadId)).state).toBe('completed');
    expect(events(uploadId)).toEqual(['Upload Completed']);
  });
});

describe('a cancelled upload whose event is lost', () => {
  test('is announced by the schedule', async () => {
    chaos.dropped = 1;
    const { uploadId } = await issue(await newFile());
    const { state } = await cancelUpload(stack.deployment, uploadId);
    await stack.eventsSettled();
    expect([state, events(uploadId), await isDue(uploadId)]).toEqual(['cancelled', [], true]);
    const before = await upload(uploadId);
    expect(before).toHaveProperty('cancelled_at');
    await stack.runSchedules(hoursFromNow(2));
    expect(await upload(uploadId)).toEqual(before);
    expect(events(uploadId)).toEqual(['Upload Cancelled']);
    expect(await isDue(uploadId)).toBe(false);
  });

  test('is announced once when its event comes', async () => {
    const { uploadId } = await issue(await newFile());
    await cancelUpload(stack.deployment, uploadId);
    await stack.eventsSettled();
    await stack.runSchedules(hoursFromNow(2));
    expect(events(uploadId)).toEqual(['Upload Cancelled']);
  });
});

describe('an upload URL that nobody uses', () => {
  test('gets its time and its event when it has expired, and a last look a day later', async () => {
    const { uploadId } = await issue(await newFile());
    const seen = hoursFromNow(2);
    await stack.runSchedules(seen);
    const expiredAt = `${seen.toISOString().slice(0, 19)}.000Z`;
    expect(await upload(uploadId)).toMatchObject({ state: 'issued', expired_at: expiredAt });
    expect(events(uploadId)).toEqual(['Upload Expired']);
    await stack.runSchedules(hoursFromNow(24));
    expect(await isDue(uploadId)).toBe(true);
    await stack.runSchedules(hoursFromNow(26));
    expect(await isDue(uploadId)).toBe(false);
    expect(events(uploadId)).toEqual(['Upload Expired']);
  });

  test('is still completed by a slow PUT that ends later, and that is announced', async () => {
    const fileId = await newFile();
    const { uploadId, put } = await issue(fileId);
    await stack.runSchedules(hoursFromNow(2));
    expect(await put('late')).toBe(200);
    await stack.eventsSettled();
    expect(await upload(uploadId)).toMatchObject({ state: 'completed', expired_at: expect.any(String) });
    expect(events(uploadId)).toEqual(['Upload Expired', 'Upload Completed']);
    expect(await isDue(uploadId)).toBe(false);
  });

  test('is still completed by a slow PUT whose event is lost', async () => {
    const { uploadId, put } = await issue(await newFile());
    await stack.runSchedules(hoursFromNow(2));
    chaos.dropped = 1;
    expect(await put('late')).toBe(200);
    await stack.eventsSettled();
    await stack.runSchedules(hoursFromNow(26));
    expect((await upload(uploadId)).state).toBe('completed');
    expect(events(uploadId)).toEqual(['Upload Expired', 'Upload Completed']);
  });
});
