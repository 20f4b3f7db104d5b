import { type DynamoDBClient, GetItemCommand, UpdateItemCommand } from '@aws-sdk/client-dynamodb';
import type { Item, ItemRead, ItemUpdate, Timestamp } from '../../../storage/attributes.ts';
import {
  type Content,
  type FileContent,
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

/**
 * Table reads and writes for recording. Every read is consistent. Each write is one conditional write, and
 * returns `false` if its condition failed and the item did not change.
 */
export interface Tables {
  readonly readUpload: (uploadId: string) => Promise<Upload | undefined>;
  /** Completes an issued upload that is not superseded. It is then no longer due. */
  readonly completeUpload: (uploadId: string, completion: Completion) => Promise<boolean>;
  /**
   * Completes an issued upload whose content is not the content of the file. It becomes due when its content
   * may be deleted.
   */
  readonly completeSuperseded: (
    uploadId: string,
    completion: Completion,
    supersededAt: Timestamp,
  ) => Promise<boolean>;
  /**
   * Cancels an issued upload. It is then no longer due. If it is cancelled already, its time does not change.
   */
  readonly cancelUpload: (
    uploadId: string,
    cancelledAt: Timestamp,
    announcedAt: Timestamp,
  ) => Promise<boolean>;
  /**
   * Records the time at which an upload was first superseded. A completed upload becomes due when its content
   * may be deleted.
   */
  readonly markSuperseded: (uploadId: string, supersededAt: Timestamp) => Promise<boolean>;
  /** Changes the time of the next check of an upload. */
  readonly postpone: (upload: Pick<Upload, 'upload_id' | 'due_at'>, next: Timestamp) => Promise<boolean>;
  readonly readFileContent: (fileId: string) => Promise<FileContent | undefined>;
  /**
   * Points a file at new content, and empties its list `superseded`. Condition: the file still points at the
   * content of the replaced upload, or at no content if `replaced` is undefined.
   */
  readonly replaceContent: (
    fileId: string,
    replaced: string | undefined,
    content: Content,
  ) => Promise<boolean>;
}

/** Reads an item of a table. */
export type ReadItem = (tableName: string, input: ItemRead) => Promise<Item | undefined>;

/** Creates a read that gets each item in a separate call. */
export function createReadItem(dynamodb: DynamoDBClient): ReadItem {
  return async (tableName, input) => {
    const { Item: item } = await dynamodb.send(new GetItemCommand({ TableName: tableName, ...input }));
    return item;
  };
}

/** Creates the reads and writes with DynamoDB. */
export function createTables(
  dynamodb: DynamoDBClient,
  names: { readonly files: string; readonly uploads: string },
  read: ReadItem,
): Tables {
  const update = async (tableName: string, input: ItemUpdate): Promise<boolean> => {
    const write = dynamodb.send(new UpdateItemCommand({ TableName: tableName, ...input }));
    return (await conditionalWrite(write)) !== 'rejected';
  };

  return {
    readUpload: async (uploadId) => {
      const item = await read(names.uploads, readUploadRequest(uploadId));
      return item === undefined ? undefined : uploadFromItem(item);
    },
    completeUpload: (uploadId, completion) => update(names.uploads, updateToCompleted(uploadId, completion)),
    completeSuperseded: (uploadId, completion, supersededAt) =>
      update(names.uploads, updateToCompletedAndSuperseded(uploadId, completion, supersededAt)),
    cancelUpload: (uploadId, cancelledAt, announcedAt) =>
      update(names.uploads, updateToCancelledAndAnnounced(uploadId, cancelledAt, announcedAt)),
    markSuperseded: (uploadId, supersededAt) =>
      update(names.uploads, updateToSuperseded(uploadId, supersededAt)),
    postpone: async ({ upload_id, due_at }, next) =>
      due_at !== undefined && update(names.uploads, updateDueAt({ upload_id, due_at }, next)),
    readFileContent: async (fileId) => {
      const item = await read(names.files, readFileContentRequest(fileId));
      return item === undefined ? undefined : fileContentFromItem(item);
    },
    replaceContent: (fileId, replaced, content) =>
      update(names.files, updateContent(fileId, replaced, content)),
  };
}
