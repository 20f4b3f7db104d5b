import type { Deployment } from '../deployment/deployment.ts';
import { kinds, readItems } from '../deployment/items.ts';

/**
 * Reads the names of the files and clients of rows.
 *
 * @param rows rows, of which the first 100 are looked up
 */
export async function namesFor(
  deployment: Deployment,
  rows: readonly { readonly file_id?: string | undefined; readonly client_id?: string | undefined }[],
) {
  const namesOf = async (kind: 'file' | 'client'): Promise<ReadonlyMap<string, string>> => {
    const { key } = kinds[kind];
    const ids = new Set(rows.slice(0, 100).flatMap((row) => row[key] ?? []));
    const items = await readItems(deployment, kind, [...ids], false);
    return new Map(items.map((item) => [item[key]?.S ?? '', item.name?.S ?? '']));
  };
  const [files, clients] = await Promise.all([namesOf('file'), namesOf('client')]);
  return { files, clients };
}

/** Names by id. A file or client that no longer exists has no name. */
export type Names = Awaited<ReturnType<typeof namesFor>>;
