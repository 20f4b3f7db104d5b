import { type LogMessage, logMessages } from '../../../contract/internal/log-messages.ts';
import { type ReadLog, rejectionMessages, uploadLogs } from '../../../contract/internal/request-log.ts';
import { foldersOf, type Route, routes } from '../../../contract/routes.ts';
import { type Timestamp, timestamp } from '../../../storage/attributes.ts';
import type { Deployment } from '../deployment/deployment.ts';
import { readItems } from '../deployment/items.ts';
import { defineEntity } from '../description/entity.ts';
import { bytes, count, id, opaque, text, time } from '../description/field.ts';
import { type FilterValues, organisationFilter, timeFilter } from '../lists/filters.ts';
import type { EntityList, Page, ReadProgress } from '../lists/list.ts';
import { type LogLine, type LogRange, linesOf, openLogs } from './logs.ts';

/** Number of requests of a client or an organisation with the same outcome. */
interface RequestCount {
  /**
   * Absent in counts by organisation, if no client exists with the id, or if the requests lack one. Such requests
   * share a row, because anybody can invent ids.
   */
  readonly client_id?: string | undefined;
  readonly organisation_id?: string | undefined;
  /** The code of a rejection, such as `wrong_secret`, or the log message of a success. */
  readonly outcome: string;
  readonly count: number;
  /** Number in the span of the same length before. Absent if the time was up before it was counted. */
  readonly before?: number | undefined;
  /** Sum of the sizes of recorded uploads. */
  readonly bytes?: number | undefined;
  /** The last of these requests. */
  readonly last_at: Timestamp;
  readonly last_ip?: string | undefined;
  readonly last_request_id?: string | undefined;
}

/** Returns the logs with lines to count, and the messages of these lines by the outcome of their request. */
export function countedLines(all: readonly Route[]) {
  const secured = all.filter((route) => route.needs !== 'nothing');
  const logs: readonly ReadLog[] = [...foldersOf(secured), ...uploadLogs];
  const textsOf = (messages: readonly LogMessage[]) => messages.map((message) => logMessages[message]);
  const rejected = textsOf(Object.values(rejectionMessages));
  const succeeded = textsOf([...secured.flatMap((route) => route.logs ?? []), 'uploadRecorded']);
  return { logs, rejected, succeeded };
}

const { logs, ...messages } = countedLines(Object.values(routes));

const listed = [
  'client_id',
  'organisation_id',
  'outcome',
  'count',
  'before',
  'bytes',
  'last_at',
  'last_ip',
  'last_request_id',
] as const;

/** Counts of requests by client or organisation. */
export const requestCounts: EntityList<RequestCount> = {
  entity: defineEntity<RequestCount>()({
    noun: 'request',
    rowNoun: 'row',
    isWhole: true,
    fields: {
      client_id: id('Client', { of: 'client' }),
      organisation_id: id('Organisation', { of: 'organisation' }),
      outcome: text('Outcome'),
      count: count('Count'),
      before: count('Before'),
      bytes: bytes('Bytes'),
      last_at: time('Last'),
      last_ip: opaque('Last address'),
      last_request_id: id('Last request', { of: 'request' }),
    },
    listed,
    csv: listed,
  }),
  verb: 'count',
  about: `Rejected requests by reason, and the log messages ${messages.succeeded.join(', ')}, by client or organisation. Requests of unknown clients share one row for each reason. "Before" is the count in the span of the same length before.`,
  example: '--stack file-sync-prod request count --since 7d --outcome rejected',
  filters: [
    {
      name: 'by',
      label: 'Count by',
      about: 'one row for each client, or for each organisation (default: client)',
      placeholder: '<noun>',
      choices: ['client', 'organisation'],
      defaultValue: 'client',
    },
    {
      name: 'outcome',
      label: 'Outcome',
      about: 'requests with this outcome',
      placeholder: '<outcome>',
      choices: Object.keys(messages),
    },
    organisationFilter,
    {
      ...timeFilter('since', 'requested from', 'requests from this time on (default: 24h)'),
      defaultValue: '24h',
    },
    timeFilter('until', 'requested before', 'requests before this time'),
  ],
  source: async (deployment, values) => ({
    readPart: (progress) => countRequests(deployment, values, progress),
  }),
};

/**
 * Counts requests by client or organisation, from the logs of the functions. Rows of known clients come first,
 * sorted by count, greatest first. The span of the same length before is counted too. `read` is the number of
 * requests.
 */
export async function countRequests(
  deployment: Deployment,
  { since = '', until, outcome, organisation, by }: FilterValues,
  { isTimeUp, progress }: ReadProgress,
): Promise<Page<RequestCount>> {
  const readLog = await openLogs(deployment);
  const from = Date.parse(since);
  const to = until === undefined ? deployment.now() : Date.parse(until) - 1;
  const counted = Object.entries(messages).flatMap(([name, texts]) =>
    outcome === undefined || outcome === name ? texts : [],
  );
  const rows = new Map<string, RequestCount>();
  const unknown = new Set<string>();
  let [read, isCutShort] = [0, false];
  const countLog = async (log: ReadLog, span: LogRange) => {
    for await (const { lines, isLast } of readLog([log], linesOf('message', counted), span)) {
      for (const line of lines) {
        const row = rowOf(line, line.at >= from);
        const mayBeKnown = row.organisation_id !== undefined || isAmongFirst(unknown, row.client_id);
        addTo(rows, mayBeKnown ? row : { ...row, client_id: undefined });
      }
      read += lines.length;
      progress?.(read);
      if (!isLast && isTimeUp?.(read)) {
        isCutShort = true;
        return;
      }
    }
  };
  await Promise.all(logs.map((log) => countLog(log, { from, to })));
  if (!isCutShort) {
    const before = { from: Math.max(2 * from - to, 0), to: Math.max(from - 1, 0) };
    await Promise.all(logs.map((log) => countLog(log, before)));
  }
  const found = await withOwners(deployment, [...rows.values()], unknown, by === 'organisation');
  const entries = found
    .filter((row) => organisation === undefined || row.organisation_id === organisation)
    .filter((row) => !isCutShort || row.count > 0)
    .map((row) => (isCutShort ? { ...row, before: undefined } : row))
    .sort(compareRows);
  return { entries, next: undefined, isCutShort, read };
}

/** @param isCounted false for a request of the span before */
function rowOf({ at, members }: LogLine, isCounted: boolean): RequestCount {
  const { message = '', rejection = message, size, client_id, organisation_id } = members;
  return {
    client_id,
    organisation_id,
    outcome: rejection,
    count: isCounted ? 1 : 0,
    before: isCounted ? 0 : 1,
    bytes: isCounted ? size : size && 0,
    last_at: timestamp(at),
    last_ip: members.ip,
    last_request_id: members.request_id,
  };
}

/**
 * Adds a request, or several, to their row. The logs are read in parallel, so a later request may come first.
 */
function addTo(rows: Map<string, RequestCount>, row: RequestCount): void {
  const key = `${row.client_id} ${row.organisation_id} ${row.outcome}`;
  const sum = rows.get(key);
  if (sum === undefined) {
    rows.set(key, row);
    return;
  }
  rows.set(key, {
    ...(sum.last_at > row.last_at ? sum : row),
    count: sum.count + row.count,
    before: (sum.before ?? 0) + (row.before ?? 0),
    bytes: sum.bytes === undefined ? undefined : sum.bytes + (row.bytes ?? 0),
  });
}

/** Maximum number of ids to look up. DynamoDB reads them in one call. */
const maxUnknown = 100;

/**
 * Adds an id to `unknown`, up to the limit. Returns true if `unknown` then contains the id. A line without an
 * id uses `-`, which is never the id of a client.
 */
function isAmongFirst(unknown: Set<string>, id = '-'): boolean {
  if (unknown.size < maxUnknown) {
    unknown.add(id);
  }
  return unknown.has(id);
}

/**
 * Adds the organisations of clients. Some lines contain only the id of the client: a mistyped secret is
 * rejected before the client is read.
 */
async function withOwners(
  deployment: Deployment,
  found: readonly RequestCount[],
  unknown: Set<string>,
  byOrganisation: boolean,
) {
  const clients = await readItems(deployment, 'client', [...unknown]);
  const owners = new Map(clients.map((item) => [item.client_id?.S, item.organisation_id?.S]));
  const rows = new Map<string, RequestCount>();
  for (const { client_id, organisation_id = owners.get(client_id), ...row } of found) {
    const shown = byOrganisation || organisation_id === undefined ? undefined : client_id;
    addTo(rows, { client_id: shown, organisation_id, ...row });
  }
  return [...rows.values()];
}

/** Sorts rows of known clients first, then by count, greatest first, and then by outcome. */
function compareRows(a: RequestCount, b: RequestCount): number {
  const isUnknown = ({ organisation_id }: RequestCount) => Number(organisation_id === undefined);
  return isUnknown(a) - isUnknown(b) || b.count - a.count || (a.outcome < b.outcome ? -1 : 1);
}
