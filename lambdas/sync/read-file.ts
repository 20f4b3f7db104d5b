import { type DynamoDBClient, GetItemCommand } from '@aws-sdk/client-dynamodb';
import * as v from 'valibot';
import { booleanAttribute, parseItem, projection, textAttribute } from '../shared/item.ts';
import type { SyncFile } from './sync-file.ts';

const fileSchema = v.object({ organisation_id: textAttribute, sync_enabled: booleanAttribute });

/** Reads a file by primary key, consistently: disabling its syncing takes effect at once. */
export function createReadFile(dynamodb: DynamoDBClient, tableName: string) {
  return async (fileId: string): Promise<SyncFile | undefined> => {
    const { Item } = await dynamodb.send(
      new GetItemCommand({
        TableName: tableName,
        Key: { file_id: { S: fileId } },
        ConsistentRead: true,
        ...projection('organisation_id', 'sync_enabled'),
      }),
    );
    if (Item === undefined) {
      return undefined;
    }
    const file = parseItem('file', fileSchema, Item);
    return { organisationId: file.organisation_id, syncEnabled: file.sync_enabled };
  };
}
