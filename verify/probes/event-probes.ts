import { isDeepStrictEqual } from 'node:util';
import { judge } from '../world/outcome.ts';
import type { World } from '../world/world.ts';
import type { Probe } from './probe.ts';

/** The events of uploads, and the records that come of them. */
export const eventProbes: readonly Probe[] = [
  { fact: 's3-object-created-event', must: true, look: lookAtEventFields },
  { fact: 's3-head-version-permission', must: false, look: lookAtRecordedChecksums },
  { fact: 'eventbridge-at-least-once', must: true, look: lookAtDelivery },
  { fact: 'dynamodb-conditional-failure', must: true, look: lookAtFalseCondition },
];

async function lookAtEventFields(world: World) {
  const { uploads } = await world.events();
  const wrong = uploads.filter(
    ({ upload, size, etag }) =>
      upload.state !== 'completed' ||
      upload.size !== size ||
      upload.etag !== etag ||
      upload.version_id === '' ||
      upload.version_id === 'null',
  );
  return judge(
    uploads.length > 0 && wrong.length === 0,
    `${uploads.length - wrong.length} of ${uploads.length} uploads were recorded with the size and ETag of their PUT, and a version.`,
  );
}

async function lookAtRecordedChecksums(world: World) {
  const { uploads } = await world.events();
  const right = uploads.filter(
    ({ upload, checksum }) =>
      checksum !== undefined && upload.state === 'completed' && upload.checksum_crc64nvme === checksum,
  );
  return judge(
    uploads.length > 0 && right.length === uploads.length,
    `${right.length} of ${uploads.length} uploads were recorded with the CRC-64/NVME of their PUT.`,
  );
}

async function lookAtDelivery(world: World) {
  const { uploads, order, replayRefused, replayChangedNothing } = await world.events();
  const ages = uploads.flatMap(({ ageMilliseconds }) => ageMilliseconds ?? []);
  const came = ages.length === uploads.length && uploads.length > 0;
  const unchanged = replayRefused === undefined && replayChangedNothing;
  const seconds = (milliseconds: number) => (milliseconds / 1000).toFixed(1);
  const span =
    ages.length === 0
      ? ''
      : `, ${seconds(Math.min(...ages))} to ${seconds(Math.max(...ages))} s after the PUT`;
  const replay =
    replayRefused === undefined
      ? `An event that came again changed ${unchanged ? 'nothing' : 'the record'}`
      : `An event that came again was refused (${replayRefused.name}: ${replayRefused.message})`;
  return judge(
    came && unchanged,
    `${ages.length} of ${uploads.length} events came${span}, in the order ${order.join(' ')}. ${replay}.`,
  );
}

async function lookAtFalseCondition({ issue, operator }: World) {
  const { uploadId } = await issue();
  const before = await operator.upload(uploadId);
  const refusal = await operator.writeUnderFalseCondition(uploadId);
  const unchanged = isDeepStrictEqual(await operator.upload(uploadId), before);
  const holds = refusal?.name === 'ConditionalCheckFailedException' && unchanged;
  const answer = refusal === undefined ? 'succeeded' : `got ${refusal.name}`;
  return judge(
    holds,
    `A write under a false condition ${answer}, and the item ${unchanged ? 'stayed as it was' : 'changed'}.`,
  );
}
