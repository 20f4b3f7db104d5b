import { type DynamoDBClient, GetItemCommand, PutItemCommand } from '@aws-sdk/client-dynamodb';
import { daysAfter } from '../../storage/attributes.ts';
import { fileAccessFromItem, readFileAccessRequest } from '../../storage/file.ts';
import { type NewUpload, putIssued } from '../../storage/upload.ts';
import { lastCheckAt } from '../../storage/upload-due.ts';

export type ReadFileAccess = ReturnType<typeof createReadFileAccess>;

/** Creates a read of the attributes that determine whether a client may sync into a file. */
export function createReadFileAccess(dynamodb: DynamoDBClient, tableName: string) {
  return async (fileId: string) => {
    const read = new GetItemCommand({ TableName: tableName, ...readFileAccessRequest(fileId) });
    const { Item: item } = await dynamodb.send(read);
    return item && fileAccessFromItem(item);
  };
}

export type RecordIssued = ReturnType<typeof createRecordIssued>;

/**
 * Creates a write that records that an upload URL was issued. The signal aborts it after the deadline of the request.
 *
 * @param retentionDays days for which the record of an unused URL is kept after its last check
 */
export function createRecordIssued(dynamodb: DynamoDBClient, tableName: string, retentionDays?: number) {
  return async (upload: NewUpload, abortSignal: AbortSignal) => {
    const deleteAfter =
      retentionDays === undefined ? undefined : daysAfter(lastCheckAt(upload.expires_at), retentionDays);
    const put = new PutItemCommand({ TableName: tableName, ...putIssued(upload, deleteAfter) });
    await dynamodb.send(put, { abortSignal });
  };
}
