import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import { DynamoDBClient, GetItemCommand } from '@aws-sdk/client-dynamodb';
import { setFaults } from 'cloud-assembly-emulator/faults';
import { afterEach, describe, expect, test } from 'vitest';
import { getFile } from '../../../tools/operator/files/file.ts';
import { getUpload } from '../../../tools/operator/uploads/upload.ts';
import { createApiUser } from '../../support/api-user.ts';
import { useRunningStack } from '../../support/use-running-stack.ts';

/** Uploads whose events never come: the schedule finds them, and no person has to help. */

const chaos = { maximumDelayMilliseconds: 0, doubled: 0, dropped: 0 };

const stack = await useRunningStack({ eventChaos: chaos });
const user = await createApiUser(stack);
afterEach(() => {
  chaos.dropped = 0;
  setFaults(stack.stateDirectory, {});
});

const hour = 3_600_000;
const hoursFromNow = (hours: number) => new Date(Date.now() + hours * hour);
const upload = (uploadId: string) => getUpload(stack.deployment, uploadId);
const events = (uploadId: string) =>
  stack.sentEvents.filter(({ detail }) => detail.upload_id === uploadId).map((event) => event['detail-type']);

/** Whether the service still has something to do for an upload. */
async function isDue(uploadId: string): Promise<boolean> {
  const client = new DynamoDBClient(stack.deployment.awsConfig);
  const { Item = {} } = await client.send(
    new GetItemCommand({
      TableName: stack.deployment.outputs.UploadsTableName,
      Key: { upload_id: { S: uploadId } },
      ConsistentRead: true,
    }),
  );
  client.destroy();
  return Item.due_at !== undefined;
}

test('an upload whose event is lost is recorded and announced when its hour is over, and not before', async () => {
  chaos.dropped = 1;
  const fileId = await user.newFile();
  const { uploadId, put } = await user.issue(fileId);
  expect((await put('content')).status).toBe(200);
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

test('an unused upload URL gets its event when it has expired, and a last look a day later', async () => {
  const { uploadId } = await user.issue();
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

test.for(['throttling', 'failing'] as const)(
  'an upload is completed and announced once when EventBridge takes its event: %s',
  async (fault) => {
    const fileId = await user.newFile();
    const { uploadId, put } = await user.issue(fileId);
    setFaults(stack.stateDirectory, { events: fault });
    expect((await put('content')).status).toBe(200);
    await stack.eventsSettled();
    // The first run of the reconciliation meets the fault too.
    await stack.runSchedules(hoursFromNow(0.1));
    expect(await upload(uploadId)).toMatchObject({ state: 'issued' });
    expect(await getFile(stack.deployment, fileId)).toMatchObject({ content: { upload_id: uploadId } });

    setFaults(stack.stateDirectory, {});
    await stack.runSchedules(hoursFromNow(0.2));
    expect(await upload(uploadId)).toMatchObject({ state: 'completed', size: 7 });
    expect(events(uploadId)).toEqual(['Upload Completed']);
  },
);

describe('content that was replaced', () => {
  /** Begins a PUT. @returns ends it, and gives the status of the answer */
  function beginPut(url: string, body: string) {
    const outgoing = request(url, {
      method: 'PUT',
      headers: { 'content-length': body.length },
      agent: false,
    });
    const answered = once(outgoing, 'response') as Promise<[IncomingMessage]>;
    outgoing.write(body.slice(0, 1));
    return async () => {
      outgoing.end(body.slice(1));
      return (await answered)[0].resume().statusCode;
    };
  }

  test('is deleted when no PUT to its URL can be under way: one that ends before gets 412, or is recorded as replaced', async () => {
    const fileId = await user.newFile();
    const [used, slow, last] = [await user.issue(fileId), await user.issue(fileId), await user.issue(fileId)];
    expect((await used.put('used')).status).toBe(200);
    const endAgain = beginPut(used.url, 'again');
    const endLate = beginPut(slow.url, 'late');
    expect((await last.put('last')).status).toBe(200);
    await stack.eventsSettled();
    await stack.runSchedules(hoursFromNow(2));

    expect(await endAgain()).toBe(412);
    expect(await endLate()).toBe(200);
    await stack.eventsSettled();
    const { content } = await getFile(stack.deployment, fileId);
    expect(content).toMatchObject({ upload_id: last.uploadId });
    for (const { uploadId } of [used, slow]) {
      expect(await upload(uploadId)).toMatchObject({ state: 'completed', superseded_at: expect.any(String) });
    }
    const statuses = async () =>
      Promise.all([used, slow, last].map(async ({ put }) => (await put('once more')).status));
    await stack.runSchedules(hoursFromNow(25));
    expect(await statuses()).toEqual([412, 412, 412]);
    await stack.runSchedules(hoursFromNow(26));
    expect(await Promise.all([used, slow].map(({ uploadId }) => isDue(uploadId)))).toEqual([false, false]);
    expect(await getFile(stack.deployment, fileId)).toMatchObject({ content });
    // The clock of S3 has not moved, so that the URLs still work: what they say shows which key is free.
    expect(await statuses()).toEqual([200, 200, 412]);
  });
});
