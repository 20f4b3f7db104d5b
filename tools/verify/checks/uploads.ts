import { isDeepStrictEqual } from 'node:util';
import type { Upload } from '../../operator/uploads.ts';
import { put, shortly } from '../http.ts';
import { judge } from '../outcome.ts';
import type { World } from '../world.ts';
import type { Check } from './check.ts';

/** What becomes of an upload. */
export const uploadParts: readonly Check[] = [
  { id: 'cancel', does: 'cancel an upload, and try to use its URL', must: true, look: lookAtCancel },
  {
    id: 'events',
    does: 'upload five times, wait for the events, and replay one',
    must: true,
    look: lookAtEvents,
  },
];

/** The records that come of events. */
export const recordFacts: readonly Check[] = [
  { id: 's3-head-version-permission', must: false, look: lookAtRecordedChecksums },
  { id: 'dynamodb-conditional-failure', must: true, look: lookAtFalseCondition },
];

async function lookAtCancel(world: World) {
  const { url, uploadId, key } = await world.issue();
  await world.operator.cancel(uploadId);
  const answer = shortly(await put(world, url));
  const [{ state }, content] = await Promise.all([
    world.operator.upload(uploadId),
    world.operator.content(key),
  ]);
  return judge(
    answer === '412 PreconditionFailed' && state === 'cancelled' && content.length === 0,
    `A PUT after the cancel got ${answer}, and the upload is ${state}.`,
  );
}

async function lookAtEvents(world: World) {
  const seen = await world.uploads();
  const completed = seen.flatMap(({ upload, ...one }) =>
    upload.state === 'completed' ? [{ ...one, upload }] : [],
  );
  const asSent = completed.filter(
    ({ upload, sent: { size, etag } }) =>
      upload.size === size && upload.etag === etag && !['', 'null'].includes(upload.version_id),
  );
  const [first] = completed;
  const replay = first && (await replayed(world, first.upload));
  const times = completed.map(({ milliseconds }) => `${(milliseconds / 1000).toFixed(1)} s`).join(', ');
  return judge(
    asSent.length === seen.length && replay === 'nothing',
    `${completed.length} of ${seen.length} uploads were completed, after ${times}. ` +
      `${asSent.length} have the size and ETag of their PUT, and a version. ` +
      `An event that came again changed ${replay}.`,
  );
}

/** What an event that comes a second time changes. */
async function replayed({ operator }: World, upload: Completed): Promise<string> {
  const refused = await operator.record(eventOf(upload));
  if (refused !== undefined) {
    return `nothing, since it was refused (${refused.name}: ${refused.message})`;
  }
  const after = await operator.upload(upload.upload_id);
  return isDeepStrictEqual(recorded(after), recorded(upload)) ? 'nothing' : 'the record';
}

type Completed = Extract<Upload, { state: 'completed' }>;

/** Without what the events of later uploads change. */
function recorded({ superseded_at: _, ...upload }: Upload) {
  return upload;
}

/** The event of a completed upload, in S3's form (S3 User Guide, "EventBridge event message structure"). */
function eventOf({ key, size, etag, version_id, completed_at }: Completed): unknown {
  return {
    version: '0',
    'detail-type': 'Object Created',
    source: 'aws.s3',
    time: completed_at,
    detail: { version: '0', object: { key, size, etag, 'version-id': version_id }, reason: 'PutObject' },
  };
}

async function lookAtRecordedChecksums(world: World) {
  const seen = await world.uploads();
  const right = seen.filter(
    ({ upload, sent: { checksum } }) =>
      checksum !== undefined && upload.state === 'completed' && upload.checksum_crc64nvme === checksum,
  );
  return judge(
    right.length === seen.length,
    `${right.length} of ${seen.length} uploads were recorded with the CRC-64/NVME of their PUT.`,
  );
}

async function lookAtFalseCondition({ issue, operator }: World) {
  const { uploadId } = await issue();
  const before = await operator.upload(uploadId);
  const refusal = await operator.writeUnderFalseCondition(uploadId);
  const unchanged = isDeepStrictEqual(await operator.upload(uploadId), before);
  return judge(
    refusal?.name === 'ConditionalCheckFailedException' && unchanged,
    `A write under a false condition ${refusal === undefined ? 'succeeded' : `got ${refusal.name}`}, ` +
      `and the item ${unchanged ? 'stayed as it was' : 'changed'}.`,
  );
}
