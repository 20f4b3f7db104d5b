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
import type { Deployment } from '../deployment/deployment.ts';
import { CommandError } from '../errors.ts';
import { quoted } from '../text.ts';
import { compareNewest, inOrder, type ListOptions } from './newest-first.ts';
import {
  type Condition,
  mapPages,
  type PageRead,
  type Pages,
  readPages,
  type TimeRange,
  textIs,
  timeWithin,
} from './pages.ts';
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

/** Selects files. Without anything: all of them. */
export interface FileSelection extends TimeRange {
  readonly fileId?: string | undefined;
  readonly organisationId?: string | undefined;
  readonly syncEnabled?: boolean | undefined;
}

/**
 * Lists files, newest first. The index by organisation is sorted by file id, so all files of the organisation are read
 * before the first is known. Without an organisation, the whole table is.
 */
export function listFiles(
  deployment: Deployment,
  selection: FileSelection = {},
  options: ListOptions = {},
): Pages<File> {
  const pages = readPages(deployment, { ...placeOf(selection), pageSize: options.pageSize });
  return inOrder(mapPages(pages, withoutSuperseded), compareFiles, options);
}

const compareFiles = compareNewest<File>(
  ({ created_at }) => created_at,
  ({ file_id }) => file_id,
);

/** Where the selected files are: one item, an index, or the whole table. */
function placeOf(selection: FileSelection): PageRead {
  const { fileId, organisationId, syncEnabled } = selection;
  const [byOrganisation] = filesTable.indexes;
  const table = 'FilesTableName';
  const ofOrganisation = textIs(byOrganisation.partitionKey, organisationId);
  const filter: readonly Condition[] = [
    ...(syncEnabled === undefined
      ? []
      : [{ name: 'sync_enabled', is: '=', value: { BOOL: syncEnabled } } as const]),
    ...timeWithin('created_at', selection),
  ];
  if (fileId !== undefined) {
    return { table, key: textIs('file_id', fileId), filter: [...filter, ...ofOrganisation] };
  }
  return organisationId === undefined
    ? { table, filter }
    : { table, index: byOrganisation.name, key: ofOrganisation, filter };
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
