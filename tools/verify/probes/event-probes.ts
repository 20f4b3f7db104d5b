import { isDeepStrictEqual } from 'node:util';
import { judge } from '../world/outcome.ts';
import type { World } from '../world/world.ts';
import type { Probe } from './probe.ts';

/** The events of uploads, and the records that come of them. */
export const eventProbes: readonly Probe[] = [
  { fact: 's3-head-version-permission', must: false, look: lookAtRecordedChecksums },
  { fact: 'dynamodb-conditional-failure', must: true, look: lookAtFalseCondition },
];

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
