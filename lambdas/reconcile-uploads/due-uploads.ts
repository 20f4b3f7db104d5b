import { type DynamoDBClient, QueryCommand, UpdateItemCommand } from '@aws-sdk/client-dynamodb';
import type { Item, ItemUpdate, Timestamp } from '../../storage/attributes.ts';
import { conditionalWrite } from '../../storage/table.ts';
import {
  dueFromItem,
  type dueShards,
  queryDue,
  updateDueAt,
  updateToExpired,
} from '../../storage/upload-due.ts';

/** An upload that is due, as the index has it. The index may be some moments behind the table. */
export type DueUpload = ReturnType<typeof dueFromItem>;

export type DueShard = (typeof dueShards)[number];

/** The reads and writes of due uploads. Each write returns `false` when its condition failed and nothing was changed. */
export interface DueUploads {
  /** What is due in one partition of the index, oldest first, page by page. */
  readonly list: (shard: DueShard, now: Timestamp) => AsyncIterable<readonly DueUpload[]>;
  /** Records that nobody used the upload URL. @param next when to look again; undefined: never */
  readonly expire: (due: DueUpload, expiredAt: Timestamp, next: Timestamp | undefined) => Promise<boolean>;
  /** Looks at an upload again at another time. */
  readonly postpone: (due: DueUpload, next: Timestamp) => Promise<boolean>;
}

/** What one page holds: what a run reads and then has no time for is read again by the next. */
const pageSize = 100;

/** The due uploads in DynamoDB. */
export function createDueUploads(dynamodb: DynamoDBClient, tableName: string): DueUploads {
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
    expire: (due, expiredAt, next) => update(updateToExpired(due, expiredAt, next)),
    postpone: (due, next) => update(updateDueAt(due, next)),
  };
}
