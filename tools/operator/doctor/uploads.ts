import { timestamp } from '../../../storage/attributes.ts';
import { objectKeyOf } from '../../../storage/object-key.ts';
import {
  type DueShard,
  dueFromItem,
  dueShards,
  isEventLate,
  overdueSeconds,
  queryDue,
  queryUnrecorded,
  uploadShards,
} from '../../../storage/upload-due.ts';
import { dynamoDBClient, sqsClient } from '../deployment/aws-clients.ts';
import type { Deployment } from '../deployment/deployment.ts';
import { headObject } from '../deployment/objects.ts';
import { counted, formatSeconds, quoted } from '../text.ts';
import { type CheckResult, failed, ok } from './finding.ts';

/** Checks for events of uploads in the dead-letter queue. Events in a running replay count too. */
export async function checkDeadLetters(deployment: Deployment): Promise<CheckResult> {
  const queue = await sqsClient(deployment);
  const { Attributes = {} } = await queue.getQueueAttributes({
    QueueUrl: deployment.outputs.DeadLetterQueueUrl,
    AttributeNames: ['ApproximateNumberOfMessages', 'ApproximateNumberOfMessagesNotVisible'],
  });
  const total = Object.values(Attributes).reduce((sum, count) => sum + Number(count), 0);
  if (total === 0) {
    return ok('none');
  }
  return failed(
    `${counted(total, 'upload event')} could not be recorded: the bytes are stored, but the uploads are not completed.`,
    'Read the log of the record-upload function and fix the cause. Then replay the events.',
    { noun: 'upload', verb: 'replay' },
  );
}

/**
 * Checks that the reconciliation is on time, and that S3's events arrive. Reads the index and the bucket,
 * because no metric would show a reconciliation that does not run.
 */
export async function checkDueUploads(deployment: Deployment): Promise<CheckResult> {
  const now = new Date(deployment.now());
  const client = await dynamoDBClient(deployment);
  const { UploadsTableName: TableName } = deployment.outputs;
  const overdue = timestamp(now.getTime() - overdueSeconds * 1000);
  const pages = await Promise.all(
    dueShards.map((shard) => client.query({ TableName, ...queryDue(shard, overdue, 1) })),
  );
  const [oldest] = pages.flatMap(({ Items = [] }) => Items.map(({ due_at }) => due_at?.S ?? '')).sort();
  if (oldest !== undefined) {
    return failed(
      `The oldest upload has been due for ${formatSeconds((now.getTime() - Date.parse(oldest)) / 1000)}: deletions and events come late.`,
      'Read the log of the reconcile-uploads function and fix the cause. Then reconcile the uploads.',
      { noun: 'upload', verb: 'reconcile' },
    );
  }
  // Checks the newest unrecorded uploads of each partition, as the reconciliation does.
  const isMissing = async (uploadId: string) => {
    const object = await headObject(deployment, objectKeyOf(uploadId));
    return object?.LastModified !== undefined && isEventLate(object.LastModified, now);
  };
  const sampleOf = async (shard: DueShard) => {
    const { Items = [] } = await client.query({ TableName, ...queryUnrecorded(shard, timestamp(now), 4) });
    return Items.map((item) => dueFromItem(item).upload_id);
  };
  const sample = (await Promise.all(uploadShards.map(sampleOf))).flat();
  const missing = await Promise.all(sample.map(isMissing));
  const found = sample.find((_, place) => missing[place]);
  if (found === undefined) {
    return ok('none is late, and no stored upload in a sample lacks its event');
  }
  return failed(
    `Uploads are stored, and their events are missing, such as of the upload ${quoted(found)}.`,
    'Find out why S3 sends no event: docs/runbooks.md#uploadeventsmissing. Stored uploads are recorded every five minutes.',
    { noun: 'upload', verb: 'reconcile' },
  );
}
