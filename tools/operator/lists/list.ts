import type { Item } from '../../../storage/attributes.ts';
import type { IndexRange, TimeIndex } from '../../../storage/newest-first.ts';
import type { Deployment } from '../deployment/deployment.ts';
import type { Kind } from '../deployment/items.ts';
import type { Entity } from '../description/entity.ts';
import type { Filter, FilterValues } from './filters.ts';

/** Description of a list of entities, newest first. The command and the page are created from it. */
export interface EntityList<Of extends object = object> {
  /** Entity of each entry. Its fields are the columns. */
  readonly entity: Entity<Of>;
  /** Name of the command, and part of the address. Default: `list`, the list of all entities of a noun. */
  readonly verb?: string;
  /** Order of the entries. Default: `newest first`. */
  readonly order?: string;
  /** Description of the listed entities, for the help and for an empty page. */
  readonly about: string;
  readonly example: string;
  /** True if the page of the list is kept up to date. */
  readonly isLive?: true;
  readonly filters: readonly Filter[];
  /**
   * Returns the source of the entries that match the filters.
   *
   * @param values values from `parseFilters`
   * @throws {OperationError} when a filter names an entity that does not exist
   */
  readonly source: (deployment: Deployment, values: FilterValues) => Promise<ListSource<Of>>;
}

/** Source of the entries of a list, for `readPage` and `readAll`. */
export type ListSource<Entry> = IndexSource<Entry> | PartSource<Entry>;

/** Source in an index. The items of each partition are sorted by time. */
export interface IndexSource<Entry> extends IndexRange {
  readonly index: PartitionedIndex;
  /**
   * True to read the whole table in place of the index: for a search by name, which the index lacks. Default:
   * false.
   */
  readonly isSearch?: boolean;
  /**
   * Returns true if the item of an index can match. Other items are not read in full. Default: all can match.
   */
  readonly canMatch?: (indexed: Item) => boolean;
  /** Returns the entry of an item. Undefined if the list does not contain the item. */
  readonly entryOf: (item: Item) => Entry | undefined;
}

/** An index of the table of a kind. */
export interface PartitionedIndex extends TimeIndex {
  readonly kind: Kind;
}

/** Source that reads itself, part after part: a log, or counts, which have one part. */
export interface PartSource<Entry> {
  readonly readPart: (place: PagePlace) => Promise<Page<Entry>>;
}

/** A list, page by page. Each page is read on request, so memory contains only one page. */
export type Pages<Entry> = AsyncIterable<readonly Entry[]>;

/** A page of a list in the console, with the start of the next page. */
export interface Page<Entry> {
  readonly entries: readonly Entry[];
  /** `after` of the next page. Undefined at the end of the list, and after a search that was cut short. */
  readonly next: string | undefined;
  /** True if time ran out before the page was full. A list that is not a search continues at `next`. */
  readonly isCutShort: boolean;
  /** Number of items read, including items that did not match. */
  readonly read: number;
  /** Time back to which a log was read, if the read was cut short. */
  readonly searchedTo?: string | undefined;
}

/** Time limit and progress of a read. */
export interface ReadProgress {
  /**
   * Returns true to stop a read early, given the number of items read: for a filter that matches few entries.
   * Default: never, so the whole list is read.
   */
  readonly isTimeUp?: (read: number) => boolean;
  /** Callback for the number of items read so far, called after each part. */
  readonly progress?: ((items: number) => void) | undefined;
}

export interface PagePlace extends ReadProgress {
  /** `next` of the page before. Default: the start of the list. */
  readonly after?: string | undefined;
  /** Maximum number of entries. */
  readonly limit: number;
  /** True for a page that is polled. Its items may be a second old, for half the price. */
  readonly isPoll?: boolean;
}

export interface ListOptions extends Pick<ReadProgress, 'progress'> {
  /** Maximum number of entries, newest first. Default: all. */
  readonly limit?: number | undefined;
  /** Check before each page that the action may go on. */
  readonly check?: () => Promise<void>;
}
