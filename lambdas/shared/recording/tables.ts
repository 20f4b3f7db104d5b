import { type DynamoDBClient, GetItemCommand, UpdateItemCommand } from '@aws-sdk/client-dynamodb';
import {
  daysAfter,
  type Item,
  type ItemRead,
  type ItemUpdate,
  type Timestamp,
} from '../../../storage/attributes.ts';
import {
  type Content,
  type FileContent,
  fileContentFromItem,
  readFileContent,
  updateContent,
  updateShiftSuperseded,
} from '../../../storage/file.ts';
import { conditionalWrite } from '../../../storage/table.ts';
import {
  type Completion,
  readUpload,
  type Settling,
  type Upload,
  updateSupersededToCompleted,
  updateToCompleted,
  updateToSuperseded,
  uploadFromItem,
} from '../../../storage/upload.ts';
import { updateToCancelledAndSettled, updateToSettled } from '../../../storage/upload-due.ts';

/**
 * The reads and writes of the tables that recording needs. Every read is consistent. Each write is one conditional
 * write, and returns `false` when its condition failed and nothing was changed.
 */
export interface Tables {
  readonly readUpload: (uploadId: string) => Promise<Upload | undefined>;
  /** Completes an upload that is still issued. Unless it is left `open`, that settles it. */
  readonly completeUpload: (
    uploadId: string,
    completion: Completion,
    settling?: Settling,
  ) => Promise<boolean>;
  /** Settles a completed upload. */
  readonly settleUpload: (uploadId: string) => Promise<boolean>;
  /** Cancels an upload that is issued, and settles it. Of one that is cancelled already, the time stays. */
  readonly cancelUpload: (uploadId: string, cancelledAt: Timestamp) => Promise<boolean>;
  /** Records the first time that an upload was superseded. */
  readonly markSuperseded: (uploadId: string, supersededAt: Timestamp) => Promise<boolean>;
  readonly readFileContent: (fileId: string) => Promise<FileContent | undefined>;
  /**
   * Points a file at new content, and adds the replaced upload to its list `superseded`. The condition: the file still
   * has the content of the replaced upload, or no content when `replaced` is undefined.
   */
  readonly replaceContent: (
    fileId: string,
    replaced: string | undefined,
    content: Content,
  ) => Promise<boolean>;
  /** Removes the first upload from the list `superseded`, if it is still the given one. */
  readonly shiftSuperseded: (fileId: string, uploadId: string) => Promise<boolean>;
}

/** The tables in DynamoDB. */
export function createTables(
  dynamodb: DynamoDBClient,
  names: {
    readonly files: string;
    readonly uploads: string;
    /** How long the record of a superseded upload is kept. Undefined: for ever. */
    readonly uploadRecordRetentionDays?: number | undefined;
  },
): Tables {
  const read = async (tableName: string, input: ItemRead): Promise<Item | undefined> => {
    const { Item: item } = await dynamodb.send(new GetItemCommand({ TableName: tableName, ...input }));
    return item;
  };
  const update = async (tableName: string, input: ItemUpdate): Promise<boolean> => {
    const write = dynamodb.send(new UpdateItemCommand({ TableName: tableName, ...input }));
    return (await conditionalWrite(write)) !== 'refused';
  };

  return {
    readUpload: async (uploadId) => {
      const item = await read(names.uploads, readUpload(uploadId));
      return item === undefined ? undefined : uploadFromItem(item);
    },
    completeUpload: async (uploadId, completion, settling) =>
      (await update(names.uploads, updateToCompleted(uploadId, completion, settling))) ||
      update(names.uploads, updateSupersededToCompleted(uploadId, completion, settling)),
    settleUpload: (uploadId) => update(names.uploads, updateToSettled(uploadId)),
    cancelUpload: (uploadId, cancelledAt) =>
      update(names.uploads, updateToCancelledAndSettled(uploadId, cancelledAt)),
    markSuperseded: (uploadId, supersededAt) => {
      const days = names.uploadRecordRetentionDays;
      const deleteAfter = days === undefined ? undefined : daysAfter(supersededAt, days);
      return update(names.uploads, updateToSuperseded(uploadId, supersededAt, deleteAfter));
    },
    readFileContent: async (fileId) => {
      const item = await read(names.files, readFileContent(fileId));
      return item === undefined ? undefined : fileContentFromItem(item);
    },
    replaceContent: (fileId, replaced, content) =>
      update(names.files, updateContent(fileId, replaced, content)),
    shiftSuperseded: (fileId, uploadId) => update(names.files, updateShiftSuperseded(fileId, uploadId)),
  };
}
