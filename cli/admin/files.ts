import { randomBytes } from 'node:crypto';
import { isIdentifier, newIdentifier } from '../../contract/identifiers.ts';
import { type Item, timestamp } from '../../storage/attributes.ts';
import {
  fileFromItem,
  filesTable,
  putNewFile,
  readFile,
  type File as StoredFile,
  updateSyncEnabled,
} from '../../storage/file.ts';
import { CommandError } from '../errors.ts';
import { quoted } from '../text.ts';
import { dynamoDBClient } from './aws-clients.ts';
import type { Deployment } from './deployment.ts';
import { putItem, readItem, updateItem } from './tables.ts';

/** A file as the command line tells of it: without the outbox of the recorder. */
export type File = Omit<StoredFile, 'superseded'>;

export interface NewFile {
  readonly organisationId: string;
  readonly name: string;
  readonly syncEnabled: boolean;
  /** Default: a new one. */
  readonly fileId?: string;
}

/** @throws {CommandError} when the file id is taken, by whichever organisation */
export async function createFile(
  deployment: Deployment,
  { organisationId, name, syncEnabled, fileId = newIdentifier('file', randomBytes) }: NewFile,
): Promise<File> {
  const now = timestamp(new Date());
  const file: File = {
    file_id: fileId,
    organisation_id: organisationId,
    name,
    sync_enabled: syncEnabled,
    created_at: now,
    updated_at: now,
  };
  if ((await putItem(deployment, 'FilesTableName', putNewFile(file))) === 'refused') {
    throw new CommandError(`A file ${quoted(fileId)} exists already.`);
  }
  return file;
}

/** @throws {CommandError} when there is no file with this id */
export async function getFile(deployment: Deployment, fileId: string): Promise<File> {
  requireIdentifier(fileId);
  const item = await readItem(deployment, 'FilesTableName', readFile(fileId));
  if (item === undefined) {
    throw noSuchFile(fileId);
  }
  return withoutOutbox(item);
}

/** Every file of an organisation, by file id. */
export async function listFiles(deployment: Deployment, organisationId: string): Promise<readonly File[]> {
  const { paginateQuery } = await import('@aws-sdk/client-dynamodb');
  const client = await dynamoDBClient(deployment);
  const files: File[] = [];
  const pages = paginateQuery(
    { client },
    {
      TableName: deployment.outputs.FilesTableName,
      IndexName: filesTable.indexes[0].name,
      KeyConditionExpression: 'organisation_id = :organisation',
      ExpressionAttributeValues: { ':organisation': { S: organisationId } },
    },
  );
  for await (const { Items = [] } of pages) {
    files.push(...Items.map(withoutOutbox));
  }
  return files;
}

/** A file after a change, and whether there was anything to change. */
export interface FileChange {
  readonly file: File;
  readonly changed: boolean;
}

/** Decides whether the sync endpoint issues upload URLs for the file. URLs already issued are not affected. */
export async function setSyncEnabled(
  deployment: Deployment,
  fileId: string,
  syncEnabled: boolean,
): Promise<FileChange> {
  requireIdentifier(fileId);
  const update = updateSyncEnabled(fileId, syncEnabled, timestamp(new Date()));
  const item = await updateItem(deployment, 'FilesTableName', update);
  return item === 'refused'
    ? { file: await getFile(deployment, fileId), changed: false }
    : { file: withoutOutbox(item), changed: true };
}

function withoutOutbox(item: Item): File {
  const { superseded: _, ...file } = fileFromItem(item);
  return file;
}

function requireIdentifier(fileId: string): void {
  if (!isIdentifier(fileId)) {
    throw noSuchFile(fileId);
  }
}

function noSuchFile(fileId: string): CommandError {
  return new CommandError(`There is no file ${quoted(fileId)}.`);
}
