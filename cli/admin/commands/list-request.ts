import { type Command, Option } from 'commander';
import { UsageError } from '../../errors.ts';
import type { ListOptions } from '../../operations/newest-first.ts';
import type { Pages, TimeRange } from '../../operations/pages.ts';
import { parseLimit, parseNewIdentifier, parseTime } from '../../operations/parse-input.ts';
import { type ListView, streamCsv, streamJson, streamTable } from '../../terminal/list-output.ts';
import { sortOnDisk } from '../../terminal/sort-on-disk.ts';
import { moreCommand } from './list-more.ts';
import type { Session } from './session.ts';
import { type ListColumn, withoutRepeated } from './views.ts';

/** Attributes by which a list can be filtered. Each has an option of its name. */
type Filter = 'organisation' | 'client' | 'file' | 'status';

/** The options of all lists. */
export interface ListFlags {
  readonly organisation?: string;
  readonly client?: string;
  readonly file?: string;
  readonly status?: string;
  readonly since?: string;
  readonly until?: string;
  readonly limit?: string;
  readonly csv?: true;
}

/** What a kind of list has. */
export interface ListKind {
  readonly noun: 'client' | 'file' | 'upload';
  readonly statuses: readonly string[];
  readonly filters: readonly Filter[];
}

/** On a terminal, so many entries are shown when there is no `--limit`. */
const defaultLimit = 100;

/** Adds the options of a list. One that the list cannot have is taken too, so that it can be answered. */
export function addListOptions(command: Command, { noun, statuses, filters }: ListKind): Command {
  const filterOptions = {
    organisation: new Option('--organisation <id>', `list only ${noun}s of this organisation`),
    client: new Option(
      '--client <id>',
      `list only ${noun === 'client' ? 'this client' : 'uploads of this client'}`,
    ),
    file: new Option('--file <id>', `list only ${noun === 'file' ? 'this file' : 'uploads of this file'}`),
    status: new Option('--status <status>', `list only ${noun}s in this status`),
  };
  for (const [name, option] of Object.entries(filterOptions)) {
    command.addOption(filters.some((filter) => filter === name) ? option : option.hideHelp());
  }
  filterOptions.status.choices(statuses);
  const verb = noun === 'upload' ? 'issued' : 'created';
  return command
    .option(
      '--since <time>',
      `list only ${noun}s ${verb} at or after this time: ISO 8601, or 2h or 7d before now`,
    )
    .option('--until <time>', `list only ${noun}s ${verb} before this time`)
    .option('--limit <count>', `list only the newest (default: ${defaultLimit} on a terminal, otherwise all)`)
    .option('--csv', 'print the result as CSV with a header line');
}

/** What one run of a list is asked for. */
export interface ListRequest {
  readonly range: TimeRange;
  readonly options: ListOptions;
  readonly organisationId: string | undefined;
  readonly clientId: string | undefined;
  readonly fileId: string | undefined;
  /** Shows the list in the form that was asked for. */
  readonly show: <Row extends object>(pages: Pages<Row>, view: View<Row>) => Promise<void>;
}

type View<Row> = Omit<ListView<Row>, 'noun' | 'columns'> & { readonly columns: readonly ListColumn<Row>[] };

/**
 * Checks the options of a list.
 *
 * @throws {UsageError}
 */
export function parseListRequest(
  { context, output }: Session,
  kind: ListKind,
  flags: ListFlags,
  command: Command,
): ListRequest {
  refuseOthers(kind, flags);
  if (flags.csv && output.json) {
    throw new UsageError('Choose one form of the result: --json or --csv, not both.');
  }
  const isTable = !flags.csv && !output.json;
  const isTerminal = context.stdout.isTTY === true;
  const given = flags.limit === undefined ? undefined : parseLimit(flags.limit);
  const limit = given ?? (isTable && isTerminal ? defaultLimit : undefined);
  const show: ListRequest['show'] = (pages, { columns, csv }) => {
    if (output.json) {
      return streamJson(output, pages, { name: 'data' });
    }
    if (flags.csv) {
      return streamCsv(output, pages, csv);
    }
    const view = { noun: kind.noun, csv, columns: isTerminal ? withoutRepeated(columns, flags) : columns };
    return streamTable(output, pages, view, { limit, more: () => moreCommand(command, (limit ?? 0) * 10) });
  };
  return {
    range: parseRange(flags),
    // One more than is shown tells whether there is more.
    options: { limit: isTable && limit !== undefined ? limit + 1 : limit, sort: sortOnDisk() },
    organisationId: identifier(flags, 'organisation'),
    clientId: identifier(flags, 'client'),
    fileId: identifier(flags, 'file'),
    show,
  };
}

function identifier(flags: ListFlags, what: 'organisation' | 'client' | 'file'): string | undefined {
  const value = flags[what];
  return value === undefined ? undefined : parseNewIdentifier(value, what);
}

function parseRange(flags: ListFlags): TimeRange {
  const now = new Date();
  const since = flags.since === undefined ? undefined : parseTime(flags.since, '--since', now);
  const until = flags.until === undefined ? undefined : parseTime(flags.until, '--until', now);
  if (since !== undefined && until !== undefined && since >= until) {
    throw new UsageError(`--since must be before --until: ${since} is not before ${until}.`);
  }
  return { since, until };
}

function refuseOthers({ noun, filters }: ListKind, flags: ListFlags): void {
  const all: readonly Filter[] = ['organisation', 'client', 'file', 'status'];
  const wrong = all.find((filter) => flags[filter] !== undefined && !filters.includes(filter));
  if (wrong !== undefined) {
    const known = [...filters, 'since', 'until'].map((name) => `--${name}`);
    throw new UsageError(
      `A ${noun} has no ${wrong}, so ${noun} list has no --${wrong}. It takes ${known.join(', ')} and --limit.`,
    );
  }
}
