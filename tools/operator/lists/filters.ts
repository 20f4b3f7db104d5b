import { type Noun, spoken } from '../description/noun.ts';
import { InvalidInput } from '../errors.ts';
import { parseTime } from '../parse-input.ts';
import { capitalised, quoted } from '../text.ts';

/** Filter of a list: an option of the command, and a field or links of the page. */
export interface Filter {
  /** Name of the option and of the query parameter of the page. */
  readonly name: string;
  readonly label: string;
  /** Text of the help, after "list only". */
  readonly about: string;
  /** Placeholder of the value in the help. Empty: the option has no value. Default: `<id>`. */
  readonly placeholder?: string;
  readonly choices?: readonly string[];
  readonly isTime?: true;
  /** Returns false for an invalid value. Default: all values are valid. */
  readonly allows?: (value: string) => boolean;
  /** Value if the filter is not set. */
  readonly defaultValue?: string;
}

/** Values of the filters, by name. */
export type FilterValues = Readonly<Record<string, string | undefined>>;

/** Range of time. */
export interface TimeRange {
  /** Start of the range, included. */
  readonly since?: string | undefined;
  /** End of the range, excluded. */
  readonly until?: string | undefined;
}

/** Returns true if a time is in the range. */
export function isWithin(time: string, { since, until }: TimeRange): boolean {
  return (since === undefined || time >= since) && (until === undefined || time < until);
}

/** Filter by the owner of the entities. */
export const organisationFilter: Filter = {
  name: 'organisation',
  label: 'Organisation',
  about: 'entries of this organisation',
};

/** Filter by a part of the name or the id. */
export const nameFilter: Filter = {
  name: 'name',
  label: 'Name or id',
  about: 'entries with this text in their name or id',
  placeholder: '<text>',
};

/**
 * Returns the filters of every list: by organisation, status and time.
 *
 * @param event event at the time that `since` and `until` compare: `created`
 */
export function sharedFilters(noun: Noun, statuses: readonly string[], event: string): readonly Filter[] {
  const plural = `${spoken(noun)}s`;
  const since = `${plural} ${event} at or after this time: ISO 8601, or such as 7d for 7 days ago`;
  return [
    organisationFilter,
    {
      name: 'status',
      label: 'Status',
      about: `${plural} in this status`,
      placeholder: '<status>',
      choices: statuses,
    },
    timeFilter('since', `${event} from`, since),
    timeFilter('until', `${event} before`, `${plural} ${event} before this time`),
  ];
}

/** Creates a filter by time: `since` includes its time, `until` excludes it. */
export function timeFilter(name: keyof TimeRange, label: string, about: string): Filter {
  return { name, label: capitalised(label), about, placeholder: '<time>', isTime: true };
}

/**
 * Parses the times in the values of filters, and adds default values.
 *
 * @param nameOf function that returns the name of a filter for an error: `--since`, or `"Issued from"`
 * @returns function from the time, in milliseconds since the epoch, to the values with times in ISO 8601
 * @throws {OperationError} when a value is invalid. The function throws when the range is empty
 */
export function parseFilters(
  filters: readonly Filter[],
  values: FilterValues,
  nameOf: (filter: string) => string,
): (now: number) => FilterValues {
  const parsed = filters.map(({ name, about, isTime, choices, allows, defaultValue }) => {
    const value = values[name] ?? defaultValue;
    if (value !== undefined && !(choices?.includes(value) ?? allows?.(value) ?? true)) {
      throw new InvalidInput(
        `${quoted(value)} is not a value of ${nameOf(name)}, which lists only ${about}.`,
      );
    }
    const timeAt = isTime && value !== undefined ? parseTime(value, nameOf(name)) : () => value;
    return { name, timeAt };
  });
  return (now) => {
    const at: FilterValues = Object.fromEntries(parsed.map(({ name, timeAt }) => [name, timeAt(now)]));
    const { since, until } = at;
    if (since !== undefined && until !== undefined && since >= until) {
      throw new InvalidInput(
        `${nameOf('since')} must be before ${nameOf('until')}: ${since} is not before ${until}.`,
      );
    }
    return at;
  };
}
