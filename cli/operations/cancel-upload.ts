import { setTimeout as sleep } from 'node:timers/promises';
import type { S3Client } from '@aws-sdk/client-s3';
import { timestamp } from '../../storage/attributes.ts';
import { tombstoneObject, tombstoneOf } from '../../storage/tombstone.ts';
import { updateToCancelled } from '../../storage/upload.ts';
import { s3Client } from '../deployment/aws-clients.ts';
import type { Deployment } from '../deployment/deployment.ts';
import { CommandError } from '../errors.ts';
import { quoted } from '../text.ts';
import { updateItem } from './tables.ts';
import { getUpload, type Upload } from './uploads.ts';

/** S3 answers 409 while another conditional write to the key is running. That one soon succeeds or fails. */
const conflictRetryMilliseconds = [200, 400, 800, 1600, 3200];

/**
 * Closes an upload URL that was not used yet: it then answers 412. The tombstone is written only if the key has no
 * object (`If-None-Match: *`), so that either the cancel or the upload succeeds, never both.
 *
 * @throws {CommandError} when the upload has already ended; nothing is changed then
 */
export async function cancelUpload(deployment: Deployment, uploadId: string): Promise<Upload> {
  const upload = await getUpload(deployment, uploadId);
  if (upload.state !== 'issued') {
    throw hasEnded(upload);
  }
  const s3 = await s3Client(deployment);
  if (!(await closeKey(s3, deployment.outputs.BucketName, upload.key))) {
    throw new CommandError(
      `The content of upload ${quoted(uploadId)} has already arrived, and the upload is about to be completed. Nothing was changed.`,
    );
  }
  await markCancelled(deployment, uploadId);
  const cancelled = await getUpload(deployment, uploadId);
  if (cancelled.state !== 'cancelled') {
    throw hasEnded(cancelled);
  }
  return cancelled;
}

function hasEnded(upload: Upload): CommandError {
  return new CommandError(`The upload ${quoted(upload.upload_id)} ${ending(upload)} Nothing was changed.`);
}

function ending(upload: Upload): string {
  switch (upload.state) {
    case 'completed':
      return `was completed at ${upload.completed_at}.`;
    case 'cancelled':
      return `was cancelled at ${upload.cancelled_at}.`;
    case 'expired':
      return `expired at ${upload.expires_at}.`;
    case 'issued':
      return 'is still issued.';
  }
}

/** @returns whether the key is closed: by this call, or by an earlier one that could not mark the upload */
async function closeKey(s3: S3Client, bucket: string, key: string): Promise<boolean> {
  for (const pause of [...conflictRetryMilliseconds, undefined]) {
    const outcome = await putTombstone(s3, bucket, key);
    if (outcome === 'written') {
      return true;
    }
    if (outcome === 'taken') {
      return isTombstone(s3, bucket, key);
    }
    if (pause !== undefined) {
      await sleep(pause);
    }
  }
  throw new CommandError(
    'An upload to this URL is in progress. Nothing was changed: try again when it has ended.',
  );
}

async function putTombstone(
  s3: S3Client,
  bucket: string,
  key: string,
): Promise<'written' | 'taken' | 'conflict'> {
  const { PutObjectCommand } = await import('@aws-sdk/client-s3');
  try {
    await s3.send(
      new PutObjectCommand({ Bucket: bucket, ...tombstoneObject(key, 'cancelled'), IfNoneMatch: '*' }),
    );
    return 'written';
  } catch (error) {
    if (error instanceof Error && error.name === 'PreconditionFailed') {
      return 'taken';
    }
    if (error instanceof Error && error.name === 'ConditionalRequestConflict') {
      return 'conflict';
    }
    throw error;
  }
}

async function isTombstone(s3: S3Client, bucket: string, key: string): Promise<boolean> {
  const { GetObjectTaggingCommand } = await import('@aws-sdk/client-s3');
  const { TagSet = [] } = await s3.send(new GetObjectTaggingCommand({ Bucket: bucket, Key: key }));
  return tombstoneOf(TagSet) === 'cancelled';
}

/** A refused update is fine: `record-upload` has already seen the tombstone and marked the upload. */
async function markCancelled(deployment: Deployment, uploadId: string): Promise<void> {
  const update = updateToCancelled(uploadId, timestamp(new Date()));
  await updateItem(deployment, 'UploadsTableName', update);
}
