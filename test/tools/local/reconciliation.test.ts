import { expect, test } from 'vitest';
import { getFile } from '../../../tools/operator/files/file.ts';
import { getUpload } from '../../../tools/operator/uploads/upload.ts';
import { createApiUser } from '../../support/api-user.ts';
import { useRunningStack } from '../../support/use-running-stack.ts';

/** Uploads whose events never come: the schedule finds them, and no person has to help. */

const stack = await useRunningStack({
  eventChaos: { maximumDelayMilliseconds: 0, doubled: 0, dropped: 1 },
});
const user = await createApiUser(stack);
const fileId = await user.newFile();
const { uploadId, put } = await user.issue(fileId);
expect((await put('content')).status).toBe(200);
await stack.eventsSettled();

const hoursFromNow = (hours: number) => new Date(Date.now() + hours * 3_600_000);
const events = () =>
  stack.sentEvents.filter(({ detail }) => detail.upload_id === uploadId).map((event) => event['detail-type']);

test('an upload whose event is lost waits until its hour is over', async () => {
  await stack.runSchedules(hoursFromNow(1));
  expect(await getUpload(stack.deployment, uploadId)).toMatchObject({ state: 'issued' });
});

test('it is then recorded and announced, once', async () => {
  await stack.runSchedules(hoursFromNow(1.3));
  await stack.runSchedules(hoursFromNow(30));

  expect(await getUpload(stack.deployment, uploadId)).toMatchObject({ state: 'completed', size: 7 });
  const { content } = await getFile(stack.deployment, fileId);
  expect(content).toMatchObject({ upload_id: uploadId, size: 7 });
  expect(events()).toEqual(['Upload Completed']);
});
