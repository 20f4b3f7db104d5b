import { type DynamoDBClient, GetItemCommand, PutItemCommand } from '@aws-sdk/client-dynamodb';
import { daysAfter } from '../../storage/attributes.ts';
import { type FileAccess, fileAccessFromItem, readFileAccessRequest } from '../../storage/file.ts';
import { type NewUpload, putIssued } from '../../storage/upload.ts';
import { lastCheckAt } from '../../storage/upload-due.ts';

/** Reads the attributes that determine whether a client may sync into a file. */
export type ReadFileAccess = (fileId: string) => Promise<FileAccess | undefined>;

export function createReadFileAccess(dynamodb: DynamoDBClient, tableName: string): ReadFileAccess {
  return async (fileId) => {
    const read = new GetItemCommand({ TableName: tableName, ...readFileAccessRequest(fileId) });
    const { Item: item } = await dynamodb.send(read);
    return item === undefined ? undefined : fileAccessFromItem(item);
  };
}

/** Records that an upload URL was issued. The signal aborts the write after the deadline of the request. */
export type RecordIssued = (upload: NewUpload, signal: AbortSignal) => Promise<void>;

/** @param retentionDays days for which the record of an unused URL is kept after its last check */
export function createRecordIssued(
  dynamodb: DynamoDBClient,
  tableName: string,
  retentionDays?: number,
): RecordIssued {
  return async (upload, abortSignal) => {
    const deleteAfter =
      retentionDays === undefined ? undefined : daysAfter(lastCheckAt(upload.expires_at), retentionDays);
    const put = new PutItemCommand({ TableName: tableName, ...putIssued(upload, deleteAfter) });
    await dynamodb.send(put, { abortSignal });
  };
}
