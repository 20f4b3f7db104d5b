import { type DynamoDBClient, QueryCommand, UpdateItemCommand } from '@aws-sdk/client-dynamodb';
import { daysAfter, type Item, type ItemUpdate, type Timestamp } from '../../storage/attributes.ts';
import { conditionalWrite } from '../../storage/table.ts';
import {
  type DueUpload,
  dueFromItem,
  type dueShards,
  queryDue,
  type RecordEnd,
  updateToContentDeleted,
  updateToExpired,
  updateToUnused,
} from '../../storage/upload-due.ts';

export type { DueUpload };

export type DueShard = (typeof dueShards)[number];

/** The index of due uploads, and the writes of such uploads. Each write returns `false` when its condition failed and nothing was changed. */
export interface DueUploads {
  /** What is due in one partition of the index, oldest first, page by page. The index may be behind the table. */
  readonly list: (shard: DueShard, now: Timestamp) => AsyncIterable<readonly DueUpload[]>;
  /** Records that nobody used the upload URL. @param next when to look again */
  readonly expire: (due: DueUpload, expiredAt: Timestamp, next: Timestamp) => Promise<boolean>;
  /** Ends the looks at an upload that nobody used. */
  readonly endUnused: (due: DueUpload, end: RecordEnd) => Promise<boolean>;
  /** Records that the content of a replaced upload was deleted. @param end if its file is deleted */
  readonly endReplaced: (due: DueUpload, deletedAt: Timestamp, end?: RecordEnd) => Promise<boolean>;
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
    return (await conditionalWrite(write)) !== 'rejected';
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
    expire: (due, expiredAt, next) => update(updateToExpired(due, expiredAt, next)),
    endUnused: (due, end) => update(updateToUnused(due, end)),
    endReplaced: (due, deletedAt, end) => {
      const delete_after = retentionDays === undefined ? undefined : daysAfter(deletedAt, retentionDays);
      return update(updateToContentDeleted(due, end ?? { delete_after }));
    },
  };
}
