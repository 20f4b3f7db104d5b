import type { Deployment } from '../deployment/deployment.ts';
import { kinds, readItems } from '../deployment/items.ts';

type NamesById = Map<string, string>;

/** Cached names of each deployment, in the order in which they were read. */
const known = { file: new WeakMap<object, NamesById>(), client: new WeakMap<object, NamesById>() };

/** Number of cached names of a kind. A full cache is cleared. */
const maxKnown = 10_000;

/** Maximum number of names of a kind that a poll reads. */
const maxPollNames = 4;

/**
 * Reads the names of the files and clients of rows.
 *
 * @param rows rows, of which the first 100 are looked up
 * @param isPoll true to use the cache for most names
 */
export async function namesFor(
  deployment: Deployment,
  rows: readonly { readonly file_id?: string | undefined; readonly client_id?: string | undefined }[],
  isPoll = false,
) {
  const namesOf = async (kind: keyof typeof known): Promise<ReadonlyMap<string, string>> => {
    const { key } = kinds[kind];
    const found = known[kind].get(deployment.awsConfig);
    const earlier = found && found.size < maxKnown ? found : undefined;
    const names: NamesById = earlier ?? new Map();
    known[kind].set(deployment.awsConfig, names);
    const ids = [...new Set(rows.slice(0, 100).flatMap((row) => row[key] ?? []))];
    // New names come first, then the names that were read the longest time ago.
    const order = [...names.keys()];
    const inTurn = ids.toSorted((a, b) => order.indexOf(a) - order.indexOf(b));
    const read = isPoll && earlier ? inTurn.slice(0, maxPollNames) : inTurn;
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
