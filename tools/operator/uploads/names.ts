import type { Deployment } from '../deployment/deployment.ts';
import { kinds, readItems } from '../deployment/items.ts';
import type { Upload } from './upload.ts';

/** Names by id. A file or client that no longer exists has no name. */
export interface Names {
  readonly files: ReadonlyMap<string, string>;
  readonly clients: ReadonlyMap<string, string>;
}

/**
 * Reads the names of the files and clients of uploads.
 *
 * @param uploads at most 100
 */
export async function namesFor(
  deployment: Deployment,
  uploads: readonly Pick<Upload, 'file_id' | 'client_id'>[],
): Promise<Names> {
  const [files, clients] = await Promise.all([
    namesOf(
      deployment,
      'file',
      uploads.map(({ file_id }) => file_id),
    ),
    namesOf(
      deployment,
      'client',
      uploads.map(({ client_id }) => client_id),
    ),
  ]);
  return { files, clients };
}

/** Reads the names of files or clients. @param ids at most 100, the same id may be there several times */
export async function namesOf(
  deployment: Deployment,
  kind: 'file' | 'client',
  ids: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const items = await readItems(deployment, kind, ids);
  return new Map(items.map((item) => [item[kinds[kind].key]?.S ?? '', item.name?.S ?? '']));
}
