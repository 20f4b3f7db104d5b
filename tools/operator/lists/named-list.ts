import type { Item } from '../../../storage/attributes.ts';
import type { clientsTable } from '../../../storage/client.ts';
import type { Kind } from '../deployment/items.ts';
import { isWithin, listsOf, type TimeRange } from './list.ts';

/** Selects clients or files. An empty selection selects all that are not deleted. */
export interface NamedSelection<Status extends string> extends TimeRange {
  readonly organisation?: string | undefined;
  /** `any` selects deleted clients or files too. */
  readonly status?: Status | 'any' | undefined;
  /** Part of the id or the name, in upper or lower case. For a client, part of the id of a secret too. */
  readonly name?: string | undefined;
}

/** An entry of a list that can be searched by name. */
interface Named {
  readonly organisation_id: string;
  readonly name: string;
  readonly created_at: string;
}

interface NamedKind<Status extends string, Entry> {
  readonly kind: Kind;
  /** By organisation and time of creation, and all by time of creation. */
  readonly indexes: typeof clientsTable.indexes;
  /** The ids that are searched for a text, besides the name. */
  readonly idsOf: (entry: Entry) => readonly string[];
  readonly entryOf: (item: Item) => Entry;
  readonly statusOf: (entry: Entry) => Status;
}

/** Makes the lists of clients or files. */
export function namedListsOf<Status extends string, Entry extends Named>({
  kind,
  indexes: [byOrganisation, newest],
  idsOf,
  entryOf,
  statusOf,
}: NamedKind<Status, Entry>) {
  return listsOf(({ organisation, status, name, ...range }: NamedSelection<Status>) => ({
    index: { kind, ...(organisation === undefined ? newest : byOrganisation) },
    partitions: organisation === undefined ? newest.shards : [organisation],
    isSearch: name !== undefined,
    from: range.since,
    to: range.until,
    entryOf,
    matches: (entry: Entry) => {
      const own = statusOf(entry);
      const isWanted = status === undefined ? own !== 'deleted' : status === 'any' || status === own;
      const isOwned = organisation === undefined || entry.organisation_id === organisation;
      const isNamed = hasText(name, entry.name, ...idsOf(entry));
      return isWanted && isOwned && isWithin(entry.created_at, range) && isNamed;
    },
  }));
}

/** Whether one of the values contains the text, in upper or lower case. */
function hasText(text: string | undefined, ...values: readonly string[]): boolean {
  const wanted = text?.toLowerCase() ?? '';
  return values.some((value) => value.toLowerCase().includes(wanted));
}
