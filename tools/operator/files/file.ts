import { randomBytes } from 'node:crypto';
import { newIdentifier } from '../../../contract/identifiers.ts';
import {
  type File,
  fileFromItem,
  filesTable,
  putNewFile,
  updateExpected,
  updateSyncEnabled,
} from '../../../storage/file.ts';
import { type Expected, expectedIndex, periodAttributes } from '../../../storage/file-expected.ts';
import { timeOf } from '../deployment/aws-clock.ts';
import type { Deployment } from '../deployment/deployment.ts';
import { changeItem, getItem } from '../deployment/items.ts';
import type { IndexSource } from '../lists/list.ts';
import { type NamedSelection, namedSource } from '../lists/named-source.ts';
import { createInOrganisation } from '../organisations/create.ts';

export type { File };

export interface NewFile {
  readonly organisationId: string;
  readonly name: string;
  readonly syncEnabled: boolean;
  /** Id of the file. Default: a random id. */
  readonly fileId?: string | undefined;
}

/**
 * Creates a file.
 *
 * @throws {OperationError} when the file id is taken, by any organisation, or when the organisation was deleted, and its
 *   tokens may still work
 */
export async function createFile(
  deployment: Deployment,
  { organisationId, name, syncEnabled, fileId = newIdentifier('file', randomBytes) }: NewFile,
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
    kind: 'file',
    id: fileId,
    put: putNewFile(file),
  });
  return fileFromItem(item);
}

/**
 * Reads a file.
 *
 * @throws {OperationError} when there is no file with this id
 */
export async function getFile(deployment: Deployment, fileId: string): Promise<File> {
  return fileFromItem(await getItem(deployment, 'file', fileId));
}

/** Statuses of a file in lists: syncing is enabled, suspended with its organisation or disabled, or the file is deleted. */
export const fileStatuses = ['enabled', 'suspended', 'disabled', 'deleted'] as const;

/** Returns the status of a file, in one word. */
export function statusOf({ deleted_at, suspended_at, sync_enabled }: File): (typeof fileStatuses)[number] {
  if (deleted_at !== undefined) {
    return 'deleted';
  }
  const enabled = suspended_at === undefined ? 'enabled' : 'suspended';
  return sync_enabled ? enabled : 'disabled';
}

const allFiles = namedSource({
  kind: 'file',
  indexes: filesTable.indexes,
  idsOf: ({ file_id }: File) => [file_id],
  parse: fileFromItem,
  statusOf,
});

/** Returns the source of the selected files. With `overdue`, reads only overdue files, from their own index. */
export function fileSource({
  overdue,
  ...selection
}: NamedSelection & { readonly overdue?: string | undefined }): IndexSource<File> {
  const { isSearch = false, ...source } = allFiles(selection);
  if (overdue === undefined) {
    return { ...source, isSearch };
  }
  return {
    isSearch,
    index: { kind: 'file', tableKey: filesTable.partitionKey, ...expectedIndex },
    partitions: ['overdue'],
    entryOf: (item) => {
      const file = source.entryOf(item);
      return file?.expected_state === 'overdue' && statusOf(file) === 'enabled' ? file : undefined;
    },
  };
}

/**
 * Enables or disables new upload URLs for a file. Existing URLs keep working. If the file is watched, a new period
 * starts when syncing is enabled.
 *
 * @throws {OperationError} when there is no file with this id, or it was deleted
 */
export async function setSyncEnabled(deployment: Deployment, fileId: string, syncEnabled: boolean) {
  const period = syncEnabled ? newPeriod(deployment, await getFile(deployment, fileId)) : {};
  return changeItem(deployment, 'file', fileId, updateSyncEnabled(fileId, syncEnabled, period));
}

/** Returns the attributes that start a new period of a file. Empty if the file is not watched. */
export function newPeriod(deployment: Deployment, { expected }: Pick<File, 'expected'>) {
  return periodAttributes({ expected }, timeOf(deployment));
}

/**
 * Watches a file, from now on.
 *
 * @param expected undefined to end the watch
 * @throws {OperationError} when there is no file with this id, or it was deleted
 */
export function setExpected(deployment: Deployment, fileId: string, expected: Expected | undefined) {
  return changeItem(deployment, 'file', fileId, updateExpected(fileId, expected, timeOf(deployment)));
}
