import { type Timestamp, timestamp } from '../../../storage/attributes.ts';
import { tombstoneObject } from '../../../storage/tombstone.ts';
import { updateToDeletedUpload } from '../../../storage/upload.ts';
import { tryToCancel } from '../cancel-upload.ts';
import { s3Client } from '../deployment/aws-clients.ts';
import { explainAwsError } from '../deployment/aws-errors.ts';
import type { Deployment } from '../deployment/deployment.ts';
import { messageOf } from '../errors.ts';
import { updateItem } from '../tables.ts';
import { listUploads, type Upload } from '../uploads.ts';
import { isOpen } from './plan.ts';
import { endOfRetention } from './retention.ts';

/** An upload that could not be deleted, and why. */
export interface NotDeleted {
  readonly upload_id: string;
  readonly reason: string;
}

/** What became of the uploads of a file. */
export interface UploadsDeleted {
  readonly uploads: number;
  /** Upload URLs that were ended. */
  cancelled: number;
  readonly failed: readonly NotDeleted[];
}

/** So many uploads are deleted at the same time. Each takes one to five short calls. */
const groupSize = 8;

/** After so many failures in a row the others would fail too: AWS is down, or denies the calls. */
const maximumFailuresInRow = 24;

/**
 * A record outlives its URL, and a PUT that began before the URL expired, by as much as 24 hours: what arrives must be
 * known as that of a deleted file.
 */
const latestArrivalMilliseconds = 25 * 3_600_000;

/**
 * Ends the URLs of a deleted file, starts the retention time of its content, and lets its upload records go. The newest
 * uploads come first, because their URLs still work. Each step is safe to repeat, and uploads that an earlier run has
 * deleted are left out.
 */
export async function deleteUploads(
  deployment: Deployment,
  fileId: string,
  { now, progress }: { readonly now: () => number; readonly progress: (done: number) => void },
): Promise<UploadsDeleted> {
  const run = { uploads: 0, cancelled: 0, failuresInRow: 0, failed: [] as NotDeleted[] };
  for await (const page of listUploads(deployment, { fileId })) {
    const rest = page.filter(({ deleted_at }) => deleted_at === undefined);
    for (let start = 0; start < rest.length; start += groupSize) {
      const group = rest.slice(start, start + groupSize);
      for (const result of await Promise.all(group.map((upload) => deleteOne(deployment, upload, now())))) {
        count(result, run);
      }
      progress(run.uploads);
      if (run.failuresInRow >= maximumFailuresInRow) {
        return run;
      }
    }
  }
  return run;
}

type Result = NotDeleted | 'cancelled' | 'deleted';

function count(
  result: Result,
  run: { uploads: number; cancelled: number; failuresInRow: number; failed: NotDeleted[] },
): void {
  if (typeof result === 'object') {
    run.failuresInRow += 1;
    run.failed.push(result);
    return;
  }
  run.failuresInRow = 0;
  run.uploads += 1;
  run.cancelled += result === 'cancelled' ? 1 : 0;
}

/** The content gets its tombstone before the record is marked: a crash between the two leaves the upload to the next run. */
async function deleteOne(deployment: Deployment, upload: Upload, now: number): Promise<Result> {
  const { upload_id } = upload;
  try {
    const ended = await endUpload(deployment, upload, now);
    if (ended === 'busy') {
      return { upload_id, reason: 'an upload to its URL is in progress' };
    }
    const deleteAfter = later(
      endOfRetention(deployment, now),
      timestamp(new Date(Date.parse(upload.expires_at) + latestArrivalMilliseconds)),
    );
    const update = updateToDeletedUpload(upload_id, timestamp(new Date(now)), deleteAfter);
    await updateItem(deployment, 'UploadsTableName', update);
    return ended;
  } catch (error) {
    return { upload_id, reason: messageOf(explainAwsError(error)) };
  }
}

function later(one: Timestamp, other: Timestamp): Timestamp {
  return one > other ? one : other;
}

async function endUpload(
  deployment: Deployment,
  upload: Upload,
  now: number,
): Promise<'cancelled' | 'deleted' | 'busy'> {
  if (!isOpen(upload, now)) {
    await endContent(deployment, upload);
    return 'deleted';
  }
  const attempt = await tryToCancel(deployment, upload.upload_id);
  switch (attempt.outcome) {
    case 'cancelled':
      return 'cancelled';
    case 'busy':
      return 'busy';
    case 'arrived':
      await putSupersededTombstone(deployment, upload.key);
      return 'deleted';
    case 'ended':
      await endContent(deployment, attempt.upload);
      return 'deleted';
  }
}

/** Puts a tombstone over the content of an upload. Bytes whose event was never recorded are content too. */
async function endContent(deployment: Deployment, upload: Upload): Promise<void> {
  const hasContent =
    upload.state === 'completed'
      ? upload.superseded_at === undefined
      : upload.state === 'expired' && (await objectExists(deployment, upload.key));
  if (hasContent) {
    await putSupersededTombstone(deployment, upload.key);
  }
}

async function putSupersededTombstone(deployment: Deployment, key: string): Promise<void> {
  const { PutObjectCommand } = await import('@aws-sdk/client-s3');
  const s3 = await s3Client(deployment);
  const tombstone = tombstoneObject(key, 'superseded');
  await s3.send(new PutObjectCommand({ Bucket: deployment.outputs.BucketName, ...tombstone }));
}

/** Needs `s3:ListBucket` as well: without it, S3 answers 403 for a key that is free. */
async function objectExists(deployment: Deployment, key: string): Promise<boolean> {
  const { HeadObjectCommand } = await import('@aws-sdk/client-s3');
  const s3 = await s3Client(deployment);
  try {
    await s3.send(new HeadObjectCommand({ Bucket: deployment.outputs.BucketName, Key: key }));
    return true;
  } catch (error) {
    // The answer to HEAD has no body, so the SDK knows the status only.
    if (error instanceof Error && error.name === 'NotFound') {
      return false;
    }
    throw error;
  }
}
