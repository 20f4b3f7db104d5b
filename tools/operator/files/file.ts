import { randomBytes } from 'node:crypto';
import { newIdentifier } from '../../../contract/identifiers.ts';
import { type Item, updateToDeleted } from '../../../storage/attributes.ts';
import {
  fileFromItem,
  filesTable,
  putNewFile,
  type File as StoredFile,
  updateSyncEnabled,
} from '../../../storage/file.ts';
import { timeOf } from '../deployment/aws-clock.ts';
import type { Deployment } from '../deployment/deployment.ts';
import { changeItem, getItem, keyOf } from '../deployment/items.ts';
import { OperationError } from '../errors.ts';
import { type NamedSelection, namedSource } from '../lists/named-source.ts';
import { createInOrganisation } from '../organisations/create.ts';
import { quoted } from '../text.ts';

/** A file without the attribute that only `record-upload` uses. */
export type File = Omit<StoredFile, 'superseded'>;

export interface NewFile {
  readonly organisationId: string;
  readonly name: string;
  readonly syncEnabled: boolean;
  /** Id of the file. Default: a random id. */
  readonly fileId?: string | undefined;
  readonly recreateOrganisation?: boolean;
}

/**
 * Creates a file.
 *
 * @throws {OperationError} when the file id is taken, by any organisation, or when the organisation was deleted, and its
 *   tokens may still work
 */
export async function createFile(
  deployment: Deployment,
  {
    organisationId,
    name,
    syncEnabled,
    fileId = newIdentifier('file', randomBytes),
    recreateOrganisation,
  }: NewFile,
): Promise<File> {
  const file = {
    file_id: fileId,
    organisation_id: organisationId,
    name,
    sync_enabled: syncEnabled,
    created_at: timeOf(deployment),
  };
  const item = await createInOrganisation(deployment, {
    organisationId,
    recreateOrganisation,
    kind: 'file',
    put: putNewFile(file),
    undo: updateToDeleted(keyOf('file', fileId), file.created_at),
    taken: () => idTaken(deployment, fileId),
  });
  return fileOf(item);
}

/**
 * Returns the error for an id that is taken. The id of a deleted file stays taken until its record is
 * removed, when no upload can arrive for the file any more.
 */
async function idTaken(deployment: Deployment, fileId: string): Promise<OperationError> {
  const { deleted_at, delete_after } = await getFile(deployment, fileId);
  if (deleted_at === undefined) {
    return new OperationError(`A file ${quoted(fileId)} already exists.`);
  }
  const free =
    delete_after === undefined
      ? 'Its deletion is not complete: delete the file again.'
      : `Its id is free when DynamoDB has removed its record, within a few days after ${delete_after}.`;
  return new OperationError(`A file ${quoted(fileId)} was deleted at ${deleted_at}. ${free}`);
}

/**
 * Reads a file.
 *
 * @throws {OperationError} when there is no file with this id
 */
export async function getFile(deployment: Deployment, fileId: string): Promise<File> {
  return fileOf(await getItem(deployment, 'file', fileId));
}

/** Statuses of a file in lists: syncing is enabled, suspended with its organisation or disabled, or the file is deleted. */
export const fileStatuses = ['enabled', 'suspended', 'disabled', 'deleted'] as const;

const fileKind = {
  kind: 'file',
  indexes: filesTable.indexes,
  idsOf: ({ file_id }: File) => [file_id],
  parse: fileOf,
  statusOf,
} as const;

/** Returns the source of the selected files. */
export function fileSource(selection: NamedSelection<(typeof fileStatuses)[number]>) {
  return namedSource(fileKind, selection);
}

/** Returns the status of a file, in one word. */
export function statusOf({ deleted_at, suspended_at, sync_enabled }: File): (typeof fileStatuses)[number] {
  if (deleted_at !== undefined) {
    return 'deleted';
  }
  const enabled = suspended_at === undefined ? 'enabled' : 'suspended';
  return sync_enabled ? enabled : 'disabled';
}

/**
 * Enables or disables new upload URLs for a file. Existing URLs keep working.
 *
 * @throws {OperationError} when there is no file with this id, or it was deleted
 */
export function setSyncEnabled(deployment: Deployment, fileId: string, syncEnabled: boolean) {
  return changeItem(deployment, 'file', fileId, updateSyncEnabled(fileId, syncEnabled));
}

/**
 * Returns the file of an item.
 *
 * @throws {StoredDataError} when the item does not match storage/README.md
 */
export function fileOf(item: Item): File {
  const { superseded: _, ...file } = fileFromItem(item);
  return file;
}
