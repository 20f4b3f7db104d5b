import { type DynamoDBClient, GetItemCommand, PutItemCommand } from '@aws-sdk/client-dynamodb';
import { type FileAccess, fileAccessFromItem, readFileAccess } from '../../storage/file.ts';
import { type IssuedUpload, putIssued } from '../../storage/upload.ts';

/** Reads the attributes that decide who may sync into a file. */
export type ReadFileAccess = (fileId: string) => Promise<FileAccess | undefined>;

export function createReadFileAccess(dynamodb: DynamoDBClient, tableName: string): ReadFileAccess {
  return async (fileId) => {
    const read = new GetItemCommand({ TableName: tableName, ...readFileAccess(fileId) });
    const { Item: item } = await dynamodb.send(read);
    return item === undefined ? undefined : fileAccessFromItem(item);
  };
}

/** Records that an upload URL was issued. The signal aborts the write when the request is past its deadline. */
export type RecordIssued = (
  upload: Omit<IssuedUpload, 'state' | 'superseded_at'>,
  signal: AbortSignal,
) => Promise<void>;

export function createRecordIssued(dynamodb: DynamoDBClient, tableName: string): RecordIssued {
  return async (upload, abortSignal) => {
    await dynamodb.send(new PutItemCommand({ TableName: tableName, ...putIssued(upload) }), { abortSignal });
  };
}
