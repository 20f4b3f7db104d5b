import { DynamoDBClient, PutItemCommand, UpdateItemCommand } from '@aws-sdk/client-dynamodb';
import { putNewFile, updateSyncEnabled } from '../../../storage/file.ts';
import type { Operator } from '../../support/deployment.ts';
import { withoutDetail } from '../../support/plain-errors.ts';

/** A file that one test has for itself. */
export interface OwnFile {
  readonly fileId: string;
  readonly switchOff: () => Promise<void>;
}

/**
 * Makes a file with syncing enabled for one test and switches it off at the end. No other upload replaces its content:
 * all other tests, in all files of the suite, upload into one file.
 */
export async function withOwnFile(
  operator: Operator,
  organisationId: string,
  name: string,
  use: (file: OwnFile) => Promise<void>,
): Promise<void> {
  const database = new DynamoDBClient({
    endpoint: operator.endpoint,
    region: operator.region,
    credentials: operator.credentials,
  });
  const TableName = operator.filesTableName;
  const fileId = `${name}-${Date.now()}`;
  let on = false;
  const switchOff = async () => {
    on = false;
    const update = updateSyncEnabled(fileId, false, new Date().toISOString());
    await withoutDetail(database.send(new UpdateItemCommand({ ...update, TableName })));
  };
  try {
    const put = putNewFile(newFile(fileId, organisationId, name));
    await withoutDetail(database.send(new PutItemCommand({ ...put, TableName })));
    on = true;
    await use({ fileId, switchOff });
  } finally {
    await (on ? switchOff() : undefined);
    database.destroy();
  }
}

function newFile(file_id: string, organisation_id: string, name: string) {
  const now = new Date().toISOString();
  return { file_id, organisation_id, name, created_at: now, updated_at: now, sync_enabled: true };
}
