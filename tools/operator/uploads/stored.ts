import { objectKeyOf } from '../../../storage/object-key.ts';
import { tombstoneOf } from '../../../storage/tombstone.ts';
import {
  isBeforeFirstCheck,
  isEventLate,
  queryUnrecorded,
  sampleSize,
  unrecordedRanges,
} from '../../../storage/unrecorded.ts';
import { dueFromItem, uploadShards } from '../../../storage/upload-due.ts';
import { dynamoDBClient, s3Client } from '../deployment/aws-clients.ts';
import type { Deployment } from '../deployment/deployment.ts';
import { headObject } from '../deployment/head-object.ts';

/**
 * Returns the time at which the bytes of an upload were stored. Undefined if none are stored, or the object is
 * a tombstone. Needs `s3:GetObject`, and `s3:GetObjectTagging` for an empty object.
 */
export async function storedAt(deployment: Deployment, key: string): Promise<Date | undefined> {
  const object = await headObject(deployment, key);
  if (object?.ContentLength === 0) {
    const s3 = await s3Client(deployment);
    const { TagSet = [] } = await s3.getObjectTagging({ Bucket: deployment.outputs.BucketName, Key: key });
    return tombstoneOf(TagSet) === undefined ? object.LastModified : undefined;
  }
  return object?.LastModified;
}

/**
 * Checks a sample of the upload URLs that were issued lately, as the reconciliation does.
 *
 * @returns ids of uploads that are stored, and whose events are missing
 */
export async function sampleMissing(deployment: Deployment): Promise<readonly string[]> {
  const client = await dynamoDBClient(deployment);
  const { UploadsTableName: TableName } = deployment.outputs;
  const now = new Date(deployment.now());
  const queries = unrecordedRanges(now, Math.random).flatMap((range) =>
    uploadShards.map((shard) =>
      client.query({ TableName, ...queryUnrecorded(shard, range, { limit: sampleSize }) }),
    ),
  );
  const sampled = (await Promise.all(queries)).flatMap(({ Items = [] }) => Items.map(dueFromItem));
  const ids = new Set(sampled.filter(isBeforeFirstCheck).map(({ upload_id }) => upload_id));
  const checks = [...ids].map(async (uploadId) => {
    const stored = await storedAt(deployment, objectKeyOf(uploadId));
    return stored !== undefined && isEventLate(stored, now) ? [uploadId] : [];
  });
  return (await Promise.all(checks)).flat();
}
