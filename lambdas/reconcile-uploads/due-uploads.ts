import {
  type DynamoDBClient,
  GetItemCommand,
  QueryCommand,
  UpdateItemCommand,
} from '@aws-sdk/client-dynamodb';
import { daysAfter, type Item, type ItemUpdate, type Timestamp } from '../../storage/attributes.ts';
import { conditionalWrite } from '../../storage/table.ts';
import { type Upload, uploadFromItem } from '../../storage/upload.ts';
import {
  type DueUpload,
  dueFromItem,
  type dueShards,
  queryDue,
  readDueUpload,
  updateDueAt,
  updateToContentDeleted,
  updateToDone,
  updateToExpired,
  updateToUnused,
} from '../../storage/upload-due.ts';

export type { DueUpload };

export type DueShard = (typeof dueShards)[number];

/** The reads and writes of due uploads. Each write returns `false` when its condition failed and nothing was changed. */
export interface DueUploads {
  /** What is due in one partition of the index, oldest first, page by page. The index may be behind the table. */
  readonly list: (shard: DueShard, now: Timestamp) => AsyncIterable<readonly DueUpload[]>;
  /** Reads an upload, which may have changed a moment ago. */
  readonly read: (uploadId: string) => Promise<Upload | undefined>;
  /** Records that nobody used the upload URL. @param next when to look again; undefined: never */
  readonly expire: (due: DueUpload, expiredAt: Timestamp, next: Timestamp | undefined) => Promise<boolean>;
  /** Ends the looks at an upload that an earlier look found unused. */
  readonly endUnused: (due: DueUpload) => Promise<boolean>;
  /** Ends the looks at a completed upload. */
  readonly endCompleted: (due: DueUpload) => Promise<boolean>;
  /** Records that the content of a replaced upload was deleted. */
  readonly endReplaced: (due: DueUpload, deletedAt: Timestamp) => Promise<boolean>;
  /** Looks at an upload again at another time. */
  readonly postpone: (due: DueUpload, next: Timestamp) => Promise<boolean>;
}

/** Uploads in one page. If a run has no time for all of them, the next run reads them again. */
const pageSize = 100;

/**
 * The due uploads in DynamoDB.
 *
 * @param retentionDays how long the record of an upload is kept after its content was deleted; undefined: for ever
 */
export function createDueUploads(
  dynamodb: DynamoDBClient,
  tableName: string,
  retentionDays?: number,
): DueUploads {
  const update = async (input: ItemUpdate): Promise<boolean> => {
    const write = dynamodb.send(new UpdateItemCommand({ TableName: tableName, ...input }));
    return (await conditionalWrite(write)) !== 'refused';
  };
  return {
    list: async function* (shard, now) {
      let after: Item | undefined;
      do {
        const query = queryDue(shard, now, { limit: pageSize, after });
        const page = await dynamodb.send(new QueryCommand({ TableName: tableName, ...query }));
        yield (page.Items ?? []).map(dueFromItem);
        after = page.LastEvaluatedKey;
      } while (after !== undefined);
    },
    read: async (uploadId) => {
      const read = new GetItemCommand({ TableName: tableName, ...readDueUpload(uploadId) });
      const { Item: item } = await dynamodb.send(read);
      return item === undefined ? undefined : uploadFromItem(item);
    },
    expire: (due, expiredAt, next) => update(updateToExpired(due, expiredAt, next)),
    endUnused: (due) => update(updateToUnused(due)),
    endCompleted: (due) => update(updateToDone(due)),
    endReplaced: (due, deletedAt) => {
      const deleteAfter = retentionDays === undefined ? undefined : daysAfter(deletedAt, retentionDays);
      return update(updateToContentDeleted(due, deleteAfter));
    },
    postpone: (due, next) => update(updateDueAt(due, next)),
  };
}
