// The SDK is part of the runtime of Lambda.
import { DynamoDBClient, TransactWriteItemsCommand } from '@aws-sdk/client-dynamodb';

/** How long an event is remembered, in seconds. A dead letter may be replayed for 14 days. */
const memorySeconds = 60 * 24 * 3600;

/**
 * Writes a completed upload into the catalogue. The event and its effect are stored in one transaction, so a repeated
 * event changes nothing: it has the same event_id. An event that comes late changes nothing either: uploads are ordered
 * by their ids.
 *
 * @param {{ send: (command: object) => Promise<unknown> }} dynamodb
 * @param {{ catalogue: string, handled: string }} tables
 * @param {() => number} now milliseconds since the epoch
 */
export function createHandler(dynamodb, tables, now) {
  return async ({ detail }) => {
    try {
      await dynamodb.send(
        new TransactWriteItemsCommand({ TransactItems: [remember(detail), write(detail)] }),
      );
    } catch (error) {
      if (!isRepetitionOrLate(error)) {
        // EventBridge and Lambda try again, and keep the event in the dead-letter queue in the end.
        throw error;
      }
    }
  };

  function remember({ event_id }) {
    const deleteAfter = String(Math.floor(now() / 1000) + memorySeconds);
    return {
      Put: {
        TableName: tables.handled,
        Item: { event_id: { S: event_id }, delete_after: { N: deleteAfter } },
        ConditionExpression: 'attribute_not_exists(event_id)',
      },
    };
  }

  function write({ file_id, upload_id, bucket, key, version_id, size, completed_at }) {
    return {
      Update: {
        TableName: tables.catalogue,
        Key: { file_id: { S: file_id } },
        // A newer upload of the file may have been written before.
        ConditionExpression: 'attribute_not_exists(upload_id) OR upload_id < :upload',
        UpdateExpression:
          'SET upload_id = :upload, #bucket = :bucket, #key = :key, version_id = :version, #size = :size, completed_at = :at',
        ExpressionAttributeNames: { '#bucket': 'bucket', '#key': 'key', '#size': 'size' },
        ExpressionAttributeValues: {
          ':upload': { S: upload_id },
          ':bucket': { S: bucket },
          ':key': { S: key },
          ':version': { S: version_id },
          ':size': { N: String(size) },
          ':at': { S: completed_at },
        },
      },
    };
  }
}

/** Whether a condition refused the transaction, and nothing else did: a conflict of two events is tried again. */
function isRepetitionOrLate(error) {
  const reasons = error?.CancellationReasons ?? [];
  const codes = reasons.map(({ Code }) => Code).filter((code) => code !== 'None');
  return (
    error?.name === 'TransactionCanceledException' &&
    codes.length > 0 &&
    codes.every((code) => code === 'ConditionalCheckFailed')
  );
}

const { CATALOGUE_TABLE_NAME: catalogue, HANDLED_TABLE_NAME: handled } = process.env;

export const handler = createHandler(new DynamoDBClient({}), { catalogue, handled }, Date.now);
