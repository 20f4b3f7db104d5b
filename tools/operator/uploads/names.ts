import type { Deployment } from '../deployment/deployment.ts';
import { kinds, readItems } from '../deployment/items.ts';

/** Names that were read, by kind and id: those that were read last are last. */
const known = new WeakMap<object, Readonly<Record<'file' | 'client', Map<string, string>>>>();

/** The most names of a kind that are remembered. */
const maximumKnown = 10_000;

/** The most names of a kind that a poll reads: new ones, then those that were read the longest time ago. */
const namesOfPoll = 4;

/**
 * Reads the names of the files and clients of rows.
 *
 * @param rows the first 100 are looked up
 * @param isPoll most names are taken from earlier reads
 */
export async function namesFor(
  deployment: Deployment,
  rows: readonly { readonly file_id?: string | undefined; readonly client_id?: string | undefined }[],
  isPoll = false,
) {
  const namesOf = async (kind: 'file' | 'client') => {
    const { key } = kinds[kind];
    const names = knownNames(deployment)[kind];
    const ids = [...new Set(rows.slice(0, 100).flatMap((row) => row[key] ?? []))];
    const order = [...names.keys()];
    const oldestFirst = ids.toSorted((a, b) => order.indexOf(a) - order.indexOf(b));
    const read = isPoll ? oldestFirst.slice(0, namesOfPoll) : ids;
    const items = await readItems(deployment, kind, read, !isPoll);
    for (const id of read) {
      names.delete(id);
    }
    for (const item of items) {
      names.set(item[key]?.S ?? '', item.name?.S ?? '');
    }
    for (const id of [...names.keys()].slice(0, -maximumKnown)) {
      names.delete(id);
    }
    return new Map(ids.flatMap((id) => (names.has(id) ? [[id, names.get(id) ?? '']] : [])));
  };
  const [files, clients] = await Promise.all([namesOf('file'), namesOf('client')]);
  return { files, clients };
}

function knownNames({ awsConfig }: Deployment) {
  const names = known.get(awsConfig) ?? { file: new Map(), client: new Map() };
  known.set(awsConfig, names);
  return names;
}

/** Names by id. A file or client that no longer exists has no name. */
export type Names = Awaited<ReturnType<typeof namesFor>>;
