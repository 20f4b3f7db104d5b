import type { Deployment } from '../deployment/deployment.ts';
import { kinds, readItems } from '../deployment/items.ts';

/**
 * Reads the names of the files and clients of rows. A file or client that no longer exists has no name.
 *
 * @param rows rows, of which the first 100 are looked up
 * @returns names by id
 */
export async function namesFor(
  deployment: Deployment,
  rows: readonly { readonly file_id?: string | undefined; readonly client_id?: string | undefined }[],
): Promise<ReadonlyMap<string, string>> {
  const namesOf = async (kind: 'file' | 'client') => {
    const { key } = kinds[kind];
    const ids = new Set(rows.slice(0, 100).flatMap((row) => row[key] ?? []));
    const items = await readItems(deployment, kind, [...ids], false);
    return items.map((item) => [item[key]?.S ?? '', item.name?.S ?? ''] as const);
  };
  const names = await Promise.all([namesOf('file'), namesOf('client')]);
  return new Map(names.flat());
}
