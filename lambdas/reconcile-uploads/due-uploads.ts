import { type DynamoDBClient, QueryCommand } from '@aws-sdk/client-dynamodb';
import { daysAfter, type Item, type Timestamp } from '../../storage/attributes.ts';
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
import { createUpdate } from '../shared/recording/recording-tables.ts';

export type { DueUpload };

/** Uploads in one page. If a run does not reach all of them, the next run reads them again. */
const pageSize = 100;

export type DueUploads = ReturnType<typeof createDueUploads>;

/**
 * Creates the reads of the index of due uploads, and the writes of such uploads, in DynamoDB. Each write returns
 * `false` if its condition failed and the item did not change.
 *
 * @param retentionDays days for which a record is kept after its content was deleted; undefined: for ever
 */
export function createDueUploads(dynamodb: DynamoDBClient, tableName: string, retentionDays?: number) {
  const update = createUpdate(dynamodb, tableName);
  const pages = async function* (
    query: ReturnType<typeof queryDue>,
    isWanted = (_: DueUpload) => true,
  ): AsyncIterable<readonly DueUpload[]> {
    let after: Item | undefined;
    do {
      const input = { TableName: tableName, ...query, ExclusiveStartKey: after };
      const page = await dynamodb.send(new QueryCommand(input));
      yield (page.Items ?? []).map(dueFromItem).filter(isWanted);
      after = page.LastEvaluatedKey;
    } while (after !== undefined);
  };
  return {
    /**
     * Reads the due uploads of one partition of the index, oldest first, page by page. The index may lag behind
     * the table.
     */
    list: (shard: DueShard, now: Timestamp) => pages(queryDue(shard, now, pageSize)),
    /** Reads the uploads of one partition that wait for their first check, newest first, page by page. */
    listUnrecorded: (shard: DueShard, now: Timestamp) =>
      pages(queryUnrecorded(shard, now, pageSize), (found) => isBeforeFirstCheck(found, now)),
    /** Records that the upload URL expired unused. @param next time of the next check */
    expire: (due: DueUpload, expiredAt: Timestamp, next: Timestamp) =>
      update(updateToExpired(due, expiredAt, next)),
    /** Ends the checks of an unused upload. */
    endUnused: (due: DueUpload, end: RecordEnd) => update(updateToUnused(due, end)),
    /** Records that the content of a replaced upload was deleted. @param end if its file is deleted */
    endReplaced: (due: DueUpload, deletedAt: Timestamp, end?: RecordEnd) => {
      const delete_after = retentionDays === undefined ? undefined : daysAfter(deletedAt, retentionDays);
      return update(updateToContentDeleted(due, end ?? { delete_after }));
    },
  };
}
