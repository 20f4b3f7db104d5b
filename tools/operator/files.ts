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
import type { Deployment } from './deployment/deployment.ts';
import { OperationError } from './errors.ts';
import {
  type ListOptions,
  listNewest,
  type NewestRead,
  type Portion,
  type PortionPlace,
  readPortion,
} from './newest-first.ts';
import { includesText, isWithin, type Pages, type TimeRange } from './pages.ts';
import { notFound, putItem, readItem, requireIdentifier, requireNotDeleted, updateItem } from './tables.ts';
import { quoted } from './text.ts';

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
 * @throws {OperationError} when the file id is taken, by any organisation
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
    throw await idTaken(deployment, fileId);
  }
  return file;
}

/** The id of a deleted file stays taken until its record is gone: by then, no upload for it can arrive. */
async function idTaken(deployment: Deployment, fileId: string): Promise<OperationError> {
  const { deleted_at, delete_after } = await getFile(deployment, fileId);
  if (deleted_at === undefined) {
    return new OperationError('failed', `A file ${quoted(fileId)} already exists.`);
  }
  const free =
    delete_after === undefined
      ? 'Its deletion is not complete: repeat it.'
      : `Its id is free when DynamoDB has removed its record, within a few days after ${delete_after}.`;
  return new OperationError('failed', `A file ${quoted(fileId)} was deleted at ${deleted_at}. ${free}`);
}

/** @throws {OperationError} when there is no file with this id */
export async function getFile(deployment: Deployment, fileId: string): Promise<File> {
  requireIdentifier('file', fileId);
  const item = await readItem(deployment, 'FilesTableName', readFile(fileId));
  if (item === undefined) {
    throw notFound('file', fileId);
  }
  return fileOf(item);
}

/** The statuses of a file, as lists show them: whether syncing is enabled, or that it was deleted. */
export const fileStatuses = ['enabled', 'disabled', 'deleted'] as const;

export type FileStatus = (typeof fileStatuses)[number];

/** Selects files. Without anything: all of them. */
export interface FileSelection extends TimeRange {
  readonly organisationId?: string | undefined;
  readonly status?: FileStatus | undefined;
  /** Part of the id or the name, in any case of letters. */
  readonly text?: string | undefined;
}

/** Lists files, newest first. */
export function listFiles(
  deployment: Deployment,
  selection: FileSelection = {},
  options: ListOptions = {},
): Pages<File> {
  return listNewest(deployment, readOf(selection), options);
}

/**
 * Reads a part of the files, newest first.
 *
 * @throws {OperationError} when it begins at no place in a list
 */
export function readFiles(
  deployment: Deployment,
  selection: FileSelection,
  place: PortionPlace,
): Promise<Portion<File>> {
  return readPortion(deployment, readOf(selection), place);
}

function readOf(selection: FileSelection): NewestRead<File> {
  const { partitionKey: idKey, indexes } = filesTable;
  return {
    index: { table: 'FilesTableName', ...indexes[1], idKey },
    partition: selection.organisationId,
    range: { from: selection.since, to: selection.until },
    entryOf: fileOf,
    matches: (file) => isSelected(file, selection),
  };
}

function isSelected(file: File, selection: FileSelection): boolean {
  const { status, text } = selection;
  return (
    isWithin(file.created_at, selection) &&
    (status === undefined || statusOf(file) === status) &&
    (text === undefined || includesText(text, file.file_id, file.name))
  );
}

function statusOf({ deleted_at, sync_enabled }: File): FileStatus {
  if (deleted_at !== undefined) {
    return 'deleted';
  }
  return sync_enabled ? 'enabled' : 'disabled';
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
    ? { file: await getLiveFile(deployment, fileId), changed: false }
    : { file: fileOf(item), changed: true };
}

/** @throws {OperationError} when there is no file with this id, or it is deleted */
async function getLiveFile(deployment: Deployment, fileId: string): Promise<File> {
  const file = await getFile(deployment, fileId);
  requireNotDeleted('file', fileId, file);
  return file;
}

/** Replaces the display name. The name is for people only: nothing depends on it. */
export async function renameFile(deployment: Deployment, fileId: string, name: string): Promise<File> {
  requireIdentifier('file', fileId);
  const update = updateFileName(fileId, name, timestamp(new Date()));
  const item = await updateItem(deployment, 'FilesTableName', update);
  return item === 'refused' ? getLiveFile(deployment, fileId) : fileOf(item);
}

/** @throws {StoredDataError} when the item is not as storage/README.md says */
export function fileOf(item: Item): File {
  const { superseded: _, ...file } = fileFromItem(item);
  return file;
}
