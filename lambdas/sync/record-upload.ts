import { type DynamoDBClient, PutItemCommand } from '@aws-sdk/client-dynamodb';
import type { IssuedUpload } from './issue-upload-url.ts';

/**
 * Records an issued upload. Without a condition on purpose: the id is new (UUIDv7), and when the SDK repeats a write
 * whose answer was lost, a condition would make the success look like a failure.
 */
export function createRecordUpload(dynamodb: DynamoDBClient, tableName: string) {
  return async (upload: IssuedUpload, abortSignal: AbortSignal): Promise<void> => {
    await dynamodb.send(
      new PutItemCommand({
        TableName: tableName,
        Item: {
          upload_id: { S: upload.uploadId },
          file_id: { S: upload.fileId },
          organisation_id: { S: upload.organisationId },
          client_id: { S: upload.clientId },
          key: { S: upload.key },
          issued_at: { S: upload.issuedAt.toISOString() },
          expires_at: { S: upload.expiresAt.toISOString() },
          state: { S: 'issued' },
        },
      }),
      { abortSignal },
    );
  };
}
