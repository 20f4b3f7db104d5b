import { timestamp } from '../../../storage/attributes.ts';
import { dueShards, overdueSeconds, queryDue } from '../../../storage/upload-due.ts';
import { dynamoDBClient, sqsClient } from '../deployment/aws-clients.ts';
import type { Deployment } from '../deployment/deployment.ts';
import { counted, formatSeconds } from '../text.ts';
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
 * Checks that the reconciliation is on time. Reads the index, because no metric would show a reconciliation that does not
 * run.
 */
export async function checkDueUploads(deployment: Deployment): Promise<CheckResult> {
  const now = deployment.now();
  const client = await dynamoDBClient(deployment);
  const { UploadsTableName: TableName } = deployment.outputs;
  const overdue = timestamp(now - overdueSeconds * 1000);
  const pages = await Promise.all(
    dueShards.map((shard) => client.query({ TableName, ...queryDue(shard, overdue, 1) })),
  );
  const [oldest] = pages.flatMap(({ Items = [] }) => Items.map(({ due_at }) => due_at?.S ?? '')).sort();
  if (oldest !== undefined) {
    return failed(
      `The oldest upload has been due for ${formatSeconds((now - Date.parse(oldest)) / 1000)}: deletions and events come late.`,
      'Read the log of the reconcile-uploads function and fix the cause. Then reconcile the uploads.',
      { noun: 'upload', verb: 'reconcile' },
    );
  }
  return ok('none is late');
}
