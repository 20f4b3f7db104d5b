import { randomBytes } from 'node:crypto';
import { newIdentifier } from '../../contract/identifiers.ts';
import { type Item, timestamp } from '../../storage/attributes.ts';
import {
  fileFromItem,
  filesTable,
  putNewFile,
  readFile,
  type File as StoredFile,
  updateFileName,
  updateSyncEnabled,
} from '../../storage/file.ts';
import { dynamoDBClient } from '../deployment/aws-clients.ts';
import type { Deployment } from '../deployment/deployment.ts';
import { CommandError } from '../errors.ts';
import { quoted } from '../text.ts';
import { notFound, putItem, readItem, requireIdentifier, updateItem } from './tables.ts';

/** A file without the attribute that only `record-upload` uses. */
export type File = Omit<StoredFile, 'superseded'>;

interface NewFile {
  readonly organisationId: string;
  readonly name: string;
  readonly syncEnabled: boolean;
  /** Default: a random id. */
  readonly fileId?: string;
}

/**
 * Creates a file.
 *
 * @throws {CommandError} when the file id is taken, by any organisation
 */
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
    throw new CommandError(`A file ${quoted(fileId)} already exists.`);
  }
  return file;
}

/** @throws {CommandError} when there is no file with this id */
export async function getFile(deployment: Deployment, fileId: string): Promise<File> {
  requireIdentifier('file', fileId);
  const item = await readItem(deployment, 'FilesTableName', readFile(fileId));
  if (item === undefined) {
    throw notFound('file', fileId);
  }
  return withoutSuperseded(item);
}

/** All files of an organisation, sorted by file id. */
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
    files.push(...Items.map(withoutSuperseded));
  }
  return files;
}

/** A file after a change, and whether the change was needed. */
interface FileChange {
  readonly file: File;
  readonly changed: boolean;
}

/** Sets whether clients can request upload URLs for the file. URLs already issued are not affected. */
export async function setSyncEnabled(
  deployment: Deployment,
  fileId: string,
  syncEnabled: boolean,
): Promise<FileChange> {
  requireIdentifier('file', fileId);
  const update = updateSyncEnabled(fileId, syncEnabled, timestamp(new Date()));
  const item = await updateItem(deployment, 'FilesTableName', update);
  return item === 'refused'
    ? { file: await getFile(deployment, fileId), changed: false }
    : { file: withoutSuperseded(item), changed: true };
}

/** Replaces the display name. The name is for people only: nothing depends on it. */
export async function renameFile(deployment: Deployment, fileId: string, name: string): Promise<File> {
  requireIdentifier('file', fileId);
  const update = updateFileName(fileId, name, timestamp(new Date()));
  const item = await updateItem(deployment, 'FilesTableName', update);
  if (item === 'refused') {
    throw notFound('file', fileId);
  }
  return withoutSuperseded(item);
}

function withoutSuperseded(item: Item): File {
  const { superseded: _, ...file } = fileFromItem(item);
  return file;
}
