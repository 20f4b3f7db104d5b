import type { Deployment } from '../deployment/deployment.ts';
import { kinds, readItems } from '../deployment/items.ts';

type NamesById = Map<string, string>;

/** Cached names of each deployment. */
const known = { file: new WeakMap<object, NamesById>(), client: new WeakMap<object, NamesById>() };

/** Number of cached names of a kind. A full cache is cleared. */
const maxKnown = 10_000;

/**
 * Reads the names of the files and clients of rows.
 *
 * @param rows rows, of which the first 100 are looked up
 * @param isPoll true to read only new names. Other pages read all names again
 */
export async function namesFor(
  deployment: Deployment,
  rows: readonly { readonly file_id?: string | undefined; readonly client_id?: string | undefined }[],
  isPoll = false,
) {
  const namesOf = async (kind: keyof typeof known): Promise<ReadonlyMap<string, string>> => {
    const { key } = kinds[kind];
    const found = known[kind].get(deployment.awsConfig);
    const names: NamesById = found && found.size < maxKnown ? found : new Map();
    known[kind].set(deployment.awsConfig, names);
    const ids = [...new Set(rows.slice(0, 100).flatMap((row) => row[key] ?? []))];
    const read = isPoll ? ids.filter((id) => !names.has(id)) : ids;
    const items = await readItems(deployment, kind, read, !isPoll);
    for (const id of read) {
      names.delete(id);
    }
    for (const item of items) {
      names.set(item[key]?.S ?? '', item.name?.S ?? '');
    }
    return names;
  };
  const [files, clients] = await Promise.all([namesOf('file'), namesOf('client')]);
  return { files, clients };
}

/** Names by id. A file or client that no longer exists has no name. */
export type Names = Awaited<ReturnType<typeof namesFor>>;
