import { randomBytes } from 'node:crypto';
import type { Resource } from 'cloud-assembly-emulator';
import { createUuidV7 } from '../../../storage/uuid-v7.ts';
import { s3Client } from '../../../tools/operator/deployment/aws-clients.ts';
import { getFile } from '../../../tools/operator/files/file.ts';
import { getUpload } from '../../../tools/operator/uploads/upload.ts';
import type { RunningStack } from '../../support/running-stack.ts';
import { type Job, require, requireOk, type Work } from './work.ts';

/** Jobs with upload URLs and uploaded content. */
export const uploadJobs: Readonly<Record<string, Job>> = {
  'record an upload, and the one that replaces it': async (work) => {
    const { stack, user } = work;
    const fileId = await user.newFile();
    const uploads = [await upload(work, fileId), await upload(work, fileId)];
    await settle(work);
    const file = await getFile(stack.deployment, fileId);
    require(file.content?.upload_id === uploads[1], 'the file does not point at its newest content');
    await requireReplaced(work, uploads[0] ?? '');
    const announced = new Set(stack.sentEvents.map(({ detail }) => detail.event_id));
    require(uploads.every((id) => announced.has(`${id}.completed`)), 'an upload was not announced');
  },

  'finish a cancelling that was cut short': async (work) => {
    const { uploadId } = await work.user.issue();
    await putAsOperator(work.stack, `uploads/${uploadId}`, '', 'tombstone=cancelled');
    await settle(work);
    await requireState(work, uploadId, 'cancelled');
  },

  'record uploads whose events did not come': async (work) => {
    const fileId = await work.user.newFile();
    const replaced = await upload(work, fileId);
    await settle(work);
    // Empty, so that it might be a tombstone.
    const uploadId = await withoutEvents(work, () => upload(work, fileId, ''));
    await runSchedulesIn(work, 2);
    await requireState(work, uploadId, 'completed');
    await requireReplaced(work, replaced);
  },

  'find an upload URL that nobody used': async (work) => {
    const { uploadId } = await work.user.issue();
    await runSchedulesIn(work, 2);
    const { expired_at } = await getUpload(work.stack.deployment, uploadId);
    require(expired_at !== undefined, 'the upload is not marked as expired');
  },

  'delete content that was replaced': async (work) => {
    const fileId = await work.user.newFile();
    const replaced = await upload(work, fileId);
    await upload(work, fileId);
    await settle(work);
    await runSchedulesIn(work, 26);
    require(!(await isStored(work.stack, `uploads/${replaced}`)), 'the replaced content is still there');
  },

  'keep an event that the function fails on': async ({ stack }) => {
    await putAsOperator(stack, `uploads/${newUploadId()}`, 'of no upload');
    require((await endOfEvent(stack)) === 'kept', 'the event is lost');
  },

  'keep an event that cannot be delivered': async (work) => {
    const end = await withoutEvents(work, async () => {
      await putAsOperator(work.stack, `uploads/${newUploadId()}`, 'of no upload');
      return endOfEvent(work.stack);
    });
    require(end === 'kept', 'the event is lost');
  },
};

async function upload({ user }: Work, fileId: string, body = 'content'): Promise<string> {
  const { uploadId, put } = await user.issue(fileId);
  await requireOk(put(body), 'not stored');
  return uploadId;
}

async function requireState({ stack }: Work, uploadId: string, expected: string): Promise<void> {
  const { state } = await getUpload(stack.deployment, uploadId);
  require(state === expected, `the upload is ${state}`);
}

async function requireReplaced({ stack }: Work, uploadId: string): Promise<void> {
  const { state, superseded_at } = await getUpload(stack.deployment, uploadId);
  require(state === 'completed' && superseded_at !== undefined, 'the replaced upload is not marked');
}

function runSchedulesIn({ stack }: Work, hours: number): Promise<void> {
  return stack.runSchedules(new Date(Date.now() + hours * 3_600_000));
}

/** Runs an action while EventBridge may not invoke any function, and waits until the events are given up. */
async function withoutEvents<Result>(
  { stack, resources }: Work,
  act: () => Promise<Result>,
): Promise<Result> {
  const eventBridgeMay = ({ type, properties }: Resource) =>
    type === 'AWS::Lambda::Permission' &&
    (properties as { readonly Principal: string }).Principal === 'events.amazonaws.com';
  stack.usePolicies(resources.filter((resource) => !eventBridgeMay(resource)));
  try {
    return await act();
  } finally {
    await stack.eventsSettled();
    stack.usePolicies(resources);
  }
}

/** Waits for the delivery of all events. An event that was given up fails the job. */
async function settle({ stack }: Work): Promise<void> {
  require((await endOfEvent(stack)) === 'taken', 'an event was given up');
}

async function endOfEvent(stack: RunningStack): Promise<'taken' | 'kept' | 'lost'> {
  const before = stack.awsLog.length;
  await stack.eventsSettled();
  const messages = stack.awsLog.slice(before).map(({ message }) => message);
  if (messages.includes('event dropped')) {
    return 'lost';
  }
  return messages.includes('event moved to the dead-letter queue') ? 'kept' : 'taken';
}

async function putAsOperator({ deployment }: RunningStack, key: string, body: string, tagging?: string) {
  const s3 = await s3Client(deployment);
  const object = { Bucket: deployment.outputs.BucketName, Key: key, Tagging: tagging };
  await s3.putObject({ ...object, Body: body, ContentLength: body.length });
}

async function isStored({ deployment }: RunningStack, key: string): Promise<boolean> {
  const s3 = await s3Client(deployment);
  return s3.headObject({ Bucket: deployment.outputs.BucketName, Key: key }).then(
    () => true,
    () => false,
  );
}

const newUploadId = createUuidV7(Date.now, randomBytes);
