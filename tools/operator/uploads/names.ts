import type { Deployment } from '../deployment/deployment.ts';
import { kinds, readItems } from '../deployment/items.ts';

/** Names by id. A file or client that no longer exists has no name. */
export interface Names {
  readonly files: ReadonlyMap<string, string>;
  readonly clients: ReadonlyMap<string, string>;
}

/** Reads the names of the files and clients of rows. @param rows the first 100 are looked up */
export async function namesFor(
  deployment: Deployment,
  rows: readonly { readonly file_id?: string | undefined; readonly client_id?: string | undefined }[],
): Promise<Names> {
  const shown = rows.slice(0, 100);
  const idsOf = (name: 'file_id' | 'client_id') => shown.flatMap((row) => row[name] ?? []);
  const [files, clients] = await Promise.all([
    namesOf(deployment, 'file', idsOf('file_id')),
    namesOf(deployment, 'client', idsOf('client_id')),
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
