import { createHash } from 'node:crypto';
import { pipeline } from 'node:stream/promises';
// The SDK is part of the runtime of Lambda.
import { DynamoDBClient, TransactWriteItemsCommand } from '@aws-sdk/client-dynamodb';
import { GetObjectCommand, S3Client } from '@aws-sdk/client-s3';

/** How long an event is remembered, in seconds. A dead letter may be replayed for 14 days. */
const memorySeconds = 60 * 24 * 3600;

/**
 * Reads a completed upload, and writes it with its SHA-256 into the catalogue. The event and its effect are stored in one
 * transaction, so a repeated event changes nothing: it has the same event_id. An event that comes late changes nothing
 * either: uploads are ordered by their ids.
 *
 * @param {{ send: (command: object) => Promise<unknown> }} dynamodb
 * @param {{ send: (command: object) => Promise<{ Body: AsyncIterable<Uint8Array> }> }} s3
 * @param {{ catalogue: string, handled: string }} tables
 * @param {() => number} now milliseconds since the epoch
 */
export function createHandler(dynamodb, s3, tables, now) {
  return async ({ detail }) => {
    const sha256 = await digest(detail);
    try {
      await dynamodb.send(
        new TransactWriteItemsCommand({ TransactItems: [remember(detail), write(detail, sha256)] }),
      );
    } catch (error) {
      if (!isRepetitionOrLate(error)) {
        // EventBridge and Lambda try again, and keep the event in the dead-letter queue in the end.
        throw error;
      }
    }
  };

  /** Reads the version: when the content is replaced, the key alone leads to nothing. */
  async function digest({ bucket: Bucket, key: Key, version_id: VersionId }) {
    const { Body } = await s3.send(new GetObjectCommand({ Bucket, Key, VersionId }));
    const hash = createHash('sha256');
    await pipeline(Body, hash);
    return hash.digest('hex');
  }

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

  function write({ file_id, upload_id, bucket, key, version_id, size, completed_at }, sha256) {
    const content = JSON.stringify({ bucket, key, version_id, size, sha256, completed_at });
    return {
      Update: {
        TableName: tables.catalogue,
        Key: { file_id: { S: file_id } },
        // A newer upload of the file may have been written before.
        ConditionExpression: 'attribute_not_exists(upload_id) OR upload_id < :upload',
        UpdateExpression: 'SET upload_id = :upload, content = :content',
        ExpressionAttributeValues: { ':upload': { S: upload_id }, ':content': { S: content } },
      },
    };
  }
}

/** Whether a condition rejected the transaction, and nothing else did: a conflict of two events is tried again. */
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

export const handler = createHandler(
  new DynamoDBClient({}),
  new S3Client({}),
  { catalogue, handled },
  Date.now,
);
