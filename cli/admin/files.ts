import { randomBytes } from 'node:crypto';
import { CommandError } from '../errors.ts';
import { isIdentifier, newIdentifier } from '../identifiers.ts';
import { quoted } from '../text.ts';
import { dynamoDBClient } from './aws-clients.ts';
import { conditionalWrite } from './conditional-write.ts';
import type { Deployment } from './deployment.ts';
import { type File, fileFromItem, fileToItem } from './file-item.ts';
import { timestamp } from './items.ts';

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
  const { PutItemCommand } = await import('@aws-sdk/client-dynamodb');
  const database = await dynamoDBClient(deployment);
  const outcome = await conditionalWrite(
    database.send(
      new PutItemCommand({
        TableName: deployment.outputs.FilesTableName,
        Item: fileToItem(file),
        ConditionExpression: 'attribute_not_exists(file_id)',
      }),
    ),
  );
  if (outcome === 'refused') throw new CommandError(`A file ${quoted(fileId)} exists already.`);
  return file;
}

/** @throws {CommandError} when there is no file with this id */
export async function getFile(deployment: Deployment, fileId: string): Promise<File> {
  if (!isIdentifier(fileId)) throw noSuchFile(fileId);
  const { GetItemCommand } = await import('@aws-sdk/client-dynamodb');
  const database = await dynamoDBClient(deployment);
  const { Item } = await database.send(
    new GetItemCommand({
      TableName: deployment.outputs.FilesTableName,
      Key: { file_id: { S: fileId } },
      ConsistentRead: true,
    }),
  );
  if (Item === undefined) throw noSuchFile(fileId);
  return fileFromItem(Item);
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
      IndexName: 'by-organisation',
      KeyConditionExpression: 'organisation_id = :organisation',
      ExpressionAttributeValues: { ':organisation': { S: organisationId } },
    },
  );
  for await (const { Items = [] } of pages) files.push(...Items.map(fileFromItem));
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
  if (!isIdentifier(fileId)) throw noSuchFile(fileId);
  const { UpdateItemCommand } = await import('@aws-sdk/client-dynamodb');
  const database = await dynamoDBClient(deployment);
  const outcome = await conditionalWrite(
    database.send(
      new UpdateItemCommand({
        TableName: deployment.outputs.FilesTableName,
        Key: { file_id: { S: fileId } },
        UpdateExpression: 'SET sync_enabled = :to, updated_at = :now',
        ConditionExpression: 'attribute_exists(file_id) AND sync_enabled <> :to',
        ExpressionAttributeValues: { ':to': { BOOL: syncEnabled }, ':now': { S: timestamp(new Date()) } },
        ReturnValues: 'ALL_NEW',
      }),
    ),
  );
  if (outcome === 'refused') return { file: await getFile(deployment, fileId), changed: false };
  return { file: fileFromItem(outcome.Attributes ?? {}), changed: true };
}

function noSuchFile(fileId: string): CommandError {
  return new CommandError(`There is no file ${quoted(fileId)}.`);
}
