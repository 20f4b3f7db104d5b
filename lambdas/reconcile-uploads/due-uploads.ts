import { type DynamoDBClient, QueryCommand, UpdateItemCommand } from '@aws-sdk/client-dynamodb';
import { daysAfter, type Item, type ItemUpdate, type Timestamp } from '../../storage/attributes.ts';
import { conditionalWrite } from '../../storage/table.ts';
import {
  type DueShard,
  type DueUpload,
  dueFromItem,
  isBeforeFirstCheck,
  queryDue,
  queryUnrecorded,
  type RecordEnd,
  updateToContentDeleted,
  updateToExpired,
  updateToUnused,
} from '../../storage/upload-due.ts';

export type { DueUpload };

/**
 * Reads the index of due uploads, and writes such uploads. Each write returns `false` if its condition failed
 * and the item did not change.
 */
export interface DueUploads {
  /**
   * Reads the due uploads of one partition of the index, oldest first, page by page. The index may lag behind
   * the table.
   */
  readonly list: (shard: DueShard, now: Timestamp) => AsyncIterable<readonly DueUpload[]>;
  /** Reads the uploads of one partition that wait for their first check, newest first, page by page. */
  readonly listUnrecorded: DueUploads['list'];
  /** Records that the upload URL expired unused. @param next time of the next check */
  readonly expire: (due: DueUpload, expiredAt: Timestamp, next: Timestamp) => Promise<boolean>;
  /** Ends the checks of an unused upload. */
  readonly endUnused: (due: DueUpload, end: RecordEnd) => Promise<boolean>;
  /** Records that the content of a replaced upload was deleted. @param end if its file is deleted */
  readonly endReplaced: (due: DueUpload, deletedAt: Timestamp, end?: RecordEnd) => Promise<boolean>;
}

/** Uploads in one page. If a run does not reach all of them, the next run reads them again. */
const pageSize = 100;

/**
 * Creates the reads and writes of due uploads in DynamoDB.
 *
 * @param retentionDays days for which a record is kept after its content was deleted; undefined: for ever
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
  const pages = async function* (query: ReturnType<typeof queryDue>, isWanted = (_: DueUpload) => true) {
    let after: Item | undefined;
    do {
      const input = { TableName: tableName, ...query, ExclusiveStartKey: after };
      const page = await dynamodb.send(new QueryCommand(input));
      yield (page.Items ?? []).map(dueFromItem).filter(isWanted);
      after = page.LastEvaluatedKey;
    } while (after !== undefined);
  };
  return {
    list: (shard, now) => pages(queryDue(shard, now, pageSize)),
    listUnrecorded: (shard, now) =>
      pages(queryUnrecorded(shard, now, pageSize), (found) => isBeforeFirstCheck(found, now)),
    expire: (due, expiredAt, next) => update(updateToExpired(due, expiredAt, next)),
    endUnused: (due, end) => update(updateToUnused(due, end)),
    endReplaced: (due, deletedAt, end) => {
      const delete_after = retentionDays === undefined ? undefined : daysAfter(deletedAt, retentionDays);
      return update(updateToContentDeleted(due, end ?? { delete_after }));
    },
  };
}
