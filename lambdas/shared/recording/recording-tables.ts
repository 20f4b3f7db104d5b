import { type DynamoDBClient, GetItemCommand, UpdateItemCommand } from '@aws-sdk/client-dynamodb';
import type { Item, ItemRead, ItemUpdate, Timestamp } from '../../../storage/attributes.ts';
import {
  type Content,
  fileContentFromItem,
  readFileContentRequest,
  updateContent,
} from '../../../storage/file.ts';
import { conditionalWrite } from '../../../storage/table.ts';
import {
  type Completion,
  readUploadRequest,
  type Upload,
  updateToCompleted,
  updateToCompletedAndSuperseded,
  updateToSuperseded,
  uploadFromItem,
} from '../../../storage/upload.ts';
import { updateDueAt, updateToCancelledAndAnnounced } from '../../../storage/upload-due.ts';

/** Reads an item of a table. */
export type ReadItem = (tableName: string, input: ItemRead) => Promise<Item | undefined>;

/** Creates a read that gets each item in a separate call. */
export function createReadItem(dynamodb: DynamoDBClient): ReadItem {
  return async (tableName, input) => {
    const { Item: item } = await dynamodb.send(new GetItemCommand({ TableName: tableName, ...input }));
    return item;
  };
}

/**
 * Creates conditional writes of a table. A write returns `false` if its condition failed and the item did not change.
 */
export function createUpdate(dynamodb: DynamoDBClient, tableName: string) {
  return async (input: ItemUpdate): Promise<boolean> => {
    const write = dynamodb.send(new UpdateItemCommand({ TableName: tableName, ...input }));
    return (await conditionalWrite(write)) !== 'rejected';
  };
}

/** Table reads and writes for recording. */
export type Tables = ReturnType<typeof createTables>;

/**
 * Creates the reads and writes with DynamoDB. Every read is consistent. Each write is one conditional write, and
 * returns `false` if its condition failed and the item did not change.
 */
export function createTables(
  dynamodb: DynamoDBClient,
  names: { readonly files: string; readonly uploads: string },
  read: ReadItem,
) {
  const updateUpload = createUpdate(dynamodb, names.uploads);
  const updateFile = createUpdate(dynamodb, names.files);

  return {
    readUpload: async (uploadId: string) => {
      const item = await read(names.uploads, readUploadRequest(uploadId));
      return item && uploadFromItem(item);
    },
    /** Completes an issued upload that is not superseded. It is then no longer due. */
    completeUpload: (uploadId: string, completion: Completion) =>
      updateUpload(updateToCompleted(uploadId, completion)),
    /**
     * Completes an issued upload whose content is not the content of the file. It becomes due when its content
     * may be deleted.
     */
    completeSuperseded: (uploadId: string, completion: Completion, supersededAt: Timestamp) =>
      updateUpload(updateToCompletedAndSuperseded(uploadId, completion, supersededAt)),
    /**
     * Cancels an issued upload. It is then no longer due. If it is cancelled already, its time does not change.
     */
    cancelUpload: (uploadId: string, cancelledAt: Timestamp, announcedAt: Timestamp) =>
      updateUpload(updateToCancelledAndAnnounced(uploadId, cancelledAt, announcedAt)),
    /**
     * Records the time at which an upload was first superseded. A completed upload becomes due when its content
     * may be deleted.
     */
    markSuperseded: (uploadId: string, supersededAt: Timestamp) =>
      updateUpload(updateToSuperseded(uploadId, supersededAt)),
    /** Changes the time of the next check of an upload. */
    postpone: async ({ upload_id, due_at }: Pick<Upload, 'upload_id' | 'due_at'>, next: Timestamp) =>
      due_at !== undefined && updateUpload(updateDueAt({ upload_id, due_at }, next)),
    readFileContent: async (fileId: string) => {
      const item = await read(names.files, readFileContentRequest(fileId));
      return item && fileContentFromItem(item);
    },
    /**
     * Points a file at new content, and starts its new period. Condition: the file still points at the content of
     * the replaced upload, or at no content if `replaced` is undefined.
     */
    replaceContent: (fileId: string, replaced: string | undefined, content: Content, period?: Item) =>
      updateFile(updateContent(fileId, replaced, content, period)),
  };
}
