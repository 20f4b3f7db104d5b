import type { Deployment } from '../deployment/deployment.ts';
import type { Entity } from '../description/entity.ts';
import { spoken } from '../description/noun.ts';
import { InvalidInput } from '../errors.ts';
import { isFixedTime, parseTime } from '../parse-input.ts';
import { capitalised } from '../text.ts';
import type { ListOptions, Lists, Page, PagePlace, Pages, TimeRange } from './list.ts';

/** Filter of a list: an option of the command, and a field or links of the page. */
export interface Filter {
  /** Name of the option and of the query parameter of the page. */
  readonly name: string;
  readonly label: string;
  /** Text of the help, after "list only". */
  readonly about: string;
  /** Placeholder of the value in the help. Default: `<id>`. */
  readonly placeholder?: string;
  readonly choices?: readonly string[];
  readonly isTime?: true;
  /** Value if the filter is not set. */
  readonly defaultValue?: string;
}

/** Values of the filters, by name. */
export type GivenFilters = Readonly<Record<string, string | undefined>>;

/** Returns the name of a filter in the view: `--since`, or `"Issued from"`. */
export type CallFilter = (filter: string) => string;

/** A list of entities, newest first. The command and the page are created from it. */
export interface DescribedList<Of extends object> {
  readonly entity: Entity<Of>;
  /** Name of the command, and part of the address. Default: `list`, the list of all entities of a noun. */
  readonly verb?: string;
  /** Description of the listed entities, for the help and for an empty page. */
  readonly about: string;
  readonly example: string;
  readonly filters: readonly Filter[];
  /**
   * Applies filters to the list.
   *
   * @throws {OperationError} when a value is invalid for its filter
   */
  readonly narrow: (given: GivenFilters, called: CallFilter) => NarrowedList<Of>;
}

/** A list with its filters, read in full or by page. */
interface NarrowedList<Of> {
  readonly all: (deployment: Deployment, options?: ListOptions) => Promise<Pages<Of>>;
  readonly read: (deployment: Deployment, place: PagePlace) => Promise<Page<Of>>;
}

/** Selection by the filters of a list. */
type SelectedEntities<Status> = GivenFilters & TimeRange & { readonly status: Status | undefined };

/**
 * Describes a list. All lists accept filters by organisation, status and time.
 *
 * @param complete function that checks the ids in the filters against the tables, and may add filters that
 * follow from them
 */
export function describeList<Of extends object, Status extends string>(
  {
    statuses,
    more = [nameFilter],
    begins = 'created',
    ...description
  }: Pick<DescribedList<Of>, 'entity' | 'about' | 'example'> & {
    readonly statuses: readonly Status[];
    /** Additional filters. Default: the filter by name or id. */
    readonly more?: readonly Filter[];
    /** Event at the time that `since` and `until` compare, as a participle. Default: `created`. */
    readonly begins?: string;
  },
  { list, read }: Lists<SelectedEntities<Status>, Of>,
  complete: (deployment: Deployment, given: GivenFilters) => Promise<GivenFilters> = async (_, given) =>
    given,
): DescribedList<Of> {
  const noun = `${spoken(description.entity.noun)}s`;
  const filters: readonly Filter[] = [
    ...more,
    organisationFilter,
    {
      name: 'status',
      label: 'Status',
      about: `${noun} in this status`,
      placeholder: '<status>',
      choices: statuses,
    },
    timeFilter(
      'since',
      'from',
      `${noun} ${begins} at or after this time: ISO 8601, or such as 7d for 7 days ago`,
      begins,
    ),
    timeFilter('until', 'before', `${noun} ${begins} before this time`, begins),
  ];
  return {
    ...description,
    filters,
    narrow: (given, called) => {
      const rangeAt = rangeOf(given, called);
      const status = statuses.find((known) => known === given.status);
      const selected = async (deployment: Deployment) => ({
        ...(await complete(deployment, given)),
        ...rangeAt(deployment.now()),
        status,
      });
      return {
        all: async (deployment, options) => list(deployment, await selected(deployment), options),
        read: async (deployment, place) => read(deployment, await selected(deployment), place),
      };
    },
  };
}

/** Filter by the owner of the entities. */
export const organisationFilter: Filter = {
  name: 'organisation',
  label: 'Organisation',
  about: 'what belongs to this organisation',
};

/** Filter by a part of the name or the id. */
const nameFilter: Filter = {
  name: 'name',
  label: 'Name or id',
  about: 'what has this text in its name or id',
  placeholder: '<text>',
};

/**
 * Creates a filter by time: `since` includes its time, `until` excludes it.
 *
 * @param begins event at this time, as a participle
 */
export function timeFilter(name: 'since' | 'until', word: string, about: string, begins: string): Filter {
  return { name, label: `${capitalised(begins)} ${word}`, about, placeholder: '<time>', isTime: true };
}

function rangeOf(given: GivenFilters, called: CallFilter): (now: number) => TimeRange {
  const parse = (name: 'since' | 'until') => {
    const text = given[name];
    return text === undefined ? undefined : parseTime(text, called(name));
  };
  const [sinceAt, untilAt] = [parse('since'), parse('until')];
  const rangeAt = (now: number) => {
    const [since, until] = [sinceAt?.(now), untilAt?.(now)];
    if (since !== undefined && until !== undefined && since >= until) {
      throw new InvalidInput(
        `${called('since')} must be before ${called('until')}: ${since} is not before ${until}.`,
      );
    }
    return { since, until };
  };
  if ([given.since, given.until].every((text) => text === undefined || isFixedTime(text))) {
    // Rejects an invalid range before a deployment is opened.
    rangeAt(0);
  }
  return rangeAt;
}
