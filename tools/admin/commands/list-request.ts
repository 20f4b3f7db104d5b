import { type Command, Option } from 'commander';
import type { ListOptions, Pages, TimeRange } from '../../operator/lists.ts';
import { parseLimit, parseNewIdentifier, parseTime } from '../../operator/parse-input.ts';
import { UsageError } from '../../terminal/errors.ts';
import { type ListView, streamCsv, streamJson, streamTable } from '../../terminal/list-output.ts';
import { createProgress } from '../../terminal/progress.ts';
import { moreCommand } from './list-more.ts';
import type { Session } from './session.ts';
import { type ListColumn, withoutRepeated } from './views.ts';

/** The options of all lists. */
export interface ListFlags {
  readonly organisation?: string;
  readonly status?: string;
  readonly since?: string;
  readonly until?: string;
  readonly limit?: string;
  readonly csv?: true;
}

/** On a terminal, so many entries are shown when there is no `--limit`. */
const defaultLimit = 100;

type Noun = 'client' | 'file' | 'upload';

/** Adds the options of all lists. */
export function addListOptions(command: Command, noun: Noun, statuses: readonly string[]): Command {
  const verb = noun === 'upload' ? 'issued' : 'created';
  return command
    .option('--organisation <id>', `list only ${noun}s of this organisation`)
    .addOption(new Option('--status <status>', `list only ${noun}s in this status`).choices(statuses))
    .option('--since <time>', `list only ${noun}s ${verb} at or after this time: ISO 8601, or 7d before now`)
    .option('--until <time>', `list only ${noun}s ${verb} before this time`)
    .option('--limit <count>', `list only the newest (default: ${defaultLimit} on a terminal, otherwise all)`)
    .option('--csv', 'print the result as CSV with a header line');
}

/** What one run of a list is asked for. */
export interface ListRequest {
  readonly range: TimeRange;
  readonly options: ListOptions;
  readonly organisationId: string | undefined;
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
  noun: Noun,
  flags: ListFlags,
  command: Command,
): ListRequest {
  if (flags.csv && output.json) {
    throw new UsageError('Choose one form of the result: --json or --csv, not both.');
  }
  const isTable = !flags.csv && !output.json;
  const isTerminal = context.stdout.isTTY === true;
  const limit = given(flags.limit, parseLimit) ?? (isTable && isTerminal ? defaultLimit : undefined);
  const reading = createProgress(output.stderr, (items) => `Reading: ${items} items so far`);
  const show: ListRequest['show'] = (pages, { columns, csv }) => {
    if (output.json) {
      return streamJson(output, pages, { name: 'data' });
    }
    if (flags.csv) {
      return streamCsv(output, pages, csv);
    }
    const view = { noun, csv, columns: isTerminal ? withoutRepeated(columns, flags) : columns };
    return streamTable(output, pages, view, {
      beforeRows: reading.finish,
      limit,
      more: () => moreCommand(command, (limit ?? 0) * 10),
    });
  };
  return {
    range: parseRange(flags),
    // One more than is shown tells whether there is more.
    options: {
      limit: isTable && limit !== undefined ? limit + 1 : limit,
      // Only a terminal that shows the result as well says how far it is.
      progress: isTable && isTerminal ? reading.update : undefined,
    },
    organisationId: given(flags.organisation, (id) => parseNewIdentifier(id, 'organisation')),
    show,
  };
}

/** Parses what was given. */
export function given<Value>(text: string | undefined, parse: (text: string) => Value): Value | undefined {
  return text === undefined ? undefined : parse(text);
}

function parseRange(flags: ListFlags): TimeRange {
  const now = new Date();
  const since = given(flags.since, (time) => parseTime(time, '--since', now));
  const until = given(flags.until, (time) => parseTime(time, '--until', now));
  if (since !== undefined && until !== undefined && since >= until) {
    throw new UsageError(`--since must be before --until: ${since} is not before ${until}.`);
  }
  return { since, until };
}
