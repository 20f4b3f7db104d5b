import { Command, Option } from 'commander';
import { clientStatuses, getClient, listClients } from '../../operator/clients/client.ts';
import type { Deployment } from '../../operator/deployment/deployment.ts';
import { clientFields, fileFields, uploadFields } from '../../operator/description/csv.ts';
import { fileStatuses, getFile, listFiles } from '../../operator/files/file.ts';
import type { ListOptions, Pages, TimeRange } from '../../operator/lists/list.ts';
import { parseLimit, parseNewIdentifier, parseTime } from '../../operator/parse-input.ts';
import { listUploads, type UploadSelection, uploadStates } from '../../operator/uploads/upload.ts';
import { UsageError } from '../../terminal/errors.ts';
import { addExamples } from '../../terminal/help.ts';
import { streamCsv, streamJson, streamTable } from '../../terminal/list-output.ts';
import { createProgress } from '../../terminal/progress.ts';
import type { Column } from '../../terminal/table.ts';
import { type AdminContext, act, type Session } from './session.ts';
import { clientColumns, fileColumns, uploadColumns } from './views.ts';

/** Flags of lists, as they were typed. */
interface ListFlags {
  readonly organisation?: string;
  readonly status?: string;
  readonly since?: string;
  readonly until?: string;
  readonly limit?: string;
  readonly csv?: true;
  readonly name?: string;
  readonly file?: string;
  readonly client?: string;
  readonly request?: string;
}

/** A list: how it is called and shown, and how it is read. */
interface ListCommand {
  readonly noun: 'client' | 'file' | 'upload';
  readonly about: string;
  readonly example: string;
  readonly statuses: readonly string[];
  readonly columns: readonly Column<object>[];
  readonly csv: readonly string[];
  /** Options besides those of all lists. */
  readonly filters: readonly (readonly [flags: string, about: string])[];
  readonly read: (
    deployment: Deployment,
    flags: ListFlags,
    range: TimeRange,
    options: ListOptions,
  ) => Pages<object> | Promise<Pages<object>>;
}

const nameFilter = (noun: string) =>
  [['--name <text>', `list only ${noun}s with this text in their name or id`]] as const;

/** `client list` */
export function clientListCommand(context: AdminContext): Command {
  return listCommand(context, {
    noun: 'client',
    about: 'List clients, newest first. What was deleted is listed with --status deleted alone.',
    example: '--local client list --organisation acme --status active',
    statuses: clientStatuses,
    columns: clientColumns,
    csv: clientFields,
    filters: nameFilter('client'),
    read: (deployment, flags, range, options) =>
      listClients(deployment, { ...range, ...selectNamed(flags, clientStatuses) }, options),
  });
}

/** `file list` */
export function fileListCommand(context: AdminContext): Command {
  return listCommand(context, {
    noun: 'file',
    about:
      'List files, newest first. The status of a file is whether syncing is enabled. What was deleted is listed with ' +
      '--status deleted alone.',
    example: '--local file list --organisation acme --since 7d',
    statuses: fileStatuses,
    columns: fileColumns,
    csv: fileFields,
    filters: nameFilter('file'),
    read: (deployment, flags, range, options) =>
      listFiles(deployment, { ...range, ...selectNamed(flags, fileStatuses) }, options),
  });
}

function selectNamed<Status extends string>(
  { organisation, status, name }: ListFlags,
  statuses: readonly Status[],
) {
  return { organisationId: organisation, status: statuses.find((one) => one === status), text: name };
}

/** `upload list` */
export function uploadListCommand(context: AdminContext): Command {
  return listCommand(context, {
    noun: 'upload',
    about: 'List uploads, newest first.',
    example: '--local upload list --file orders --status completed --since 7d',
    statuses: uploadStates,
    columns: uploadColumns,
    csv: uploadFields,
    filters: [
      ['--file <id>', 'list only uploads of this file'],
      ['--client <id>', 'list only uploads of this client'],
      ['--request <id>', 'list only the upload whose URL was issued to this request'],
    ],
    read: async (deployment, flags, range, options) =>
      listUploads(deployment, { ...range, ...(await selectUploads(deployment, flags)) }, options),
  });
}

/** An empty list for an unknown id would look as if nothing had been uploaded. */
async function selectUploads(
  deployment: Deployment,
  { file, client, organisation, status, request }: ListFlags,
): Promise<UploadSelection> {
  if (file !== undefined) {
    await getFile(deployment, file);
  }
  const found = client === undefined ? undefined : await getClient(deployment, client);
  return {
    fileId: file,
    clientId: client,
    organisationId: organisation ?? found?.organisation_id,
    state: uploadStates.find((state) => state === status),
    requestId: request,
  };
}

function listCommand(context: AdminContext, list: ListCommand): Command {
  const { noun, about, example, statuses, filters } = list;
  const verb = noun === 'upload' ? 'issued' : 'created';
  const command = new Command('list').summary(`list ${noun}s`).description(about);
  addExamples(command, example)
    .option('--organisation <id>', `list only ${noun}s of this organisation`)
    .addOption(new Option('--status <status>', `list only ${noun}s in this status`).choices(statuses))
    .option('--since <time>', `list only ${noun}s ${verb} at or after this time: ISO 8601, or 7d before now`)
    .option('--until <time>', `list only ${noun}s ${verb} before this time`)
    .option('--limit <count>', `list only the newest (default: ${defaultLimit} on a terminal, otherwise all)`)
    .option('--csv', 'print the result as CSV with a header line');
  for (const [flags, meaning] of filters) {
    command.option(flags, meaning);
  }
  return command.action(act(context, (session, flags: ListFlags) => runList(session, list, flags)));
}

/** On a terminal, so many entries are shown when there is no `--limit`. */
const defaultLimit = 100;

async function runList({ context, output, open }: Session, list: ListCommand, flags: ListFlags) {
  checkFlags(flags, output.json);
  const range = parseRange(flags);
  const given = flags.limit === undefined ? undefined : parseLimit(flags.limit);
  const isTable = !flags.csv && !output.json;
  const isTerminal = context.stdout.isTTY === true;
  const limit = given ?? (isTable && isTerminal ? defaultLimit : undefined);
  // Only a terminal that shows the result as well says how far it is.
  const reading = createProgress(output.stderr, (items) => `Reading: ${items} items so far`);
  const pages = await list.read(await open(), flags, range, {
    // One more than is shown tells whether there is more.
    limit: isTable && limit !== undefined ? limit + 1 : limit,
    progress: isTable && isTerminal ? reading.update : undefined,
  });
  if (output.json) {
    await streamJson(output, pages);
  } else if (flags.csv) {
    await streamCsv(output, pages, list.csv);
  } else {
    await streamTable(output, pages, list, { beforeRows: reading.finish, limit });
  }
}

/** @throws {UsageError | OperationError} */
function checkFlags({ organisation, file, client, csv }: ListFlags, json: boolean): void {
  if (csv && json) {
    throw new UsageError('Choose one form of the result: --json or --csv, not both.');
  }
  if (file !== undefined && organisation !== undefined) {
    throw new UsageError('A file has one organisation: give either --file ID or --organisation ID.');
  }
  for (const [noun, id] of Object.entries({ organisation, file, client })) {
    if (id !== undefined) {
      parseNewIdentifier(id, noun as 'organisation' | 'file' | 'client');
    }
  }
}

function parseRange(flags: ListFlags): TimeRange {
  const now = new Date();
  const parse = (option: 'since' | 'until') => {
    const text = flags[option];
    return text === undefined ? undefined : parseTime(text, `--${option}`, now);
  };
  const [since, until] = [parse('since'), parse('until')];
  if (since !== undefined && until !== undefined && since >= until) {
    throw new UsageError(`--since must be before --until: ${since} is not before ${until}.`);
  }
  return { since, until };
}
