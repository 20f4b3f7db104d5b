import type { Item } from '../../../storage/attributes.ts';
import type { clientsTable } from '../../../storage/client.ts';
import type { TableKeys } from '../../../storage/table.ts';
import { type Kind, kinds } from '../deployment/items.ts';
import { isWithin, type TimeRange } from './filters.ts';
import type { IndexSource } from './list.ts';

/** Selection of clients or files. An empty selection selects all except deleted ones. */
export interface NamedSelection extends TimeRange {
  readonly organisation?: string | undefined;
  /** Status to select. `any` includes deleted clients or files. */
  readonly status?: string | undefined;
  /**
   * Part of the id or the name, in upper or lower case. For a client, a part of the id of a secret matches
   * too.
   */
  readonly name?: string | undefined;
}

/** An entry that can be searched by name. */
interface NamedEntry {
  readonly organisation_id: string;
  readonly name: string;
  readonly created_at: string;
}

interface NamedKind<Entry> {
  readonly kind: Kind;
  /** The first two indexes: by organisation and time of creation, and by time of creation only. */
  readonly indexes: readonly [...typeof clientsTable.indexes, ...TableKeys['indexes']];
  /** Returns the ids to search for a text, besides the name. */
  readonly idsOf: (entry: Entry) => readonly string[];
  readonly parse: (item: Item) => Entry;
  /** Returns the status: `deleted`, or another word. */
  readonly statusOf: (entry: Entry) => string;
}

/** Creates a function that returns the source of the selected clients or files. */
export function namedSource<Entry extends NamedEntry>({
  kind,
  indexes: [byOrganisation, newest],
  idsOf,
  parse,
  statusOf,
}: NamedKind<Entry>) {
  return ({ organisation, status, name, ...range }: NamedSelection): IndexSource<Entry> => ({
    index: { kind, tableKey: kinds[kind].key, ...(organisation === undefined ? newest : byOrganisation) },
    partitions: organisation === undefined ? newest.shards : [organisation],
    isSearch: name !== undefined,
    from: range.since,
    to: range.until,
    entryOf: (item) => {
      const entry = parse(item);
      const own = statusOf(entry);
      const isWanted = status === undefined ? own !== 'deleted' : status === 'any' || status === own;
      const isOwned = organisation === undefined || entry.organisation_id === organisation;
      const isNamed = hasText(name, entry.name, ...idsOf(entry));
      return isWanted && isOwned && isNamed && isWithin(entry.created_at, range) ? entry : undefined;
    },
  });
}

/** Returns true if a value contains the text, in upper or lower case. */
function hasText(text: string | undefined, ...values: readonly string[]): boolean {
  const wanted = text?.toLowerCase() ?? '';
  return values.some((value) => value.toLowerCase().includes(wanted));
}
