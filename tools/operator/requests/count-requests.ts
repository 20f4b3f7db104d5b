import * as v from 'valibot';
import { type LogMessage, logMessages } from '../../../contract/internal/log-messages.ts';
import { type ReadLog, rejectionMessages, uploadLogs } from '../../../contract/internal/request-log.ts';
import { type Route, routes } from '../../../contract/routes.ts';
import { type Timestamp, timestamp } from '../../../storage/attributes.ts';
import type { Deployment } from '../deployment/deployment.ts';
import { readItems } from '../deployment/items.ts';
import type { Page, ReadProgress } from '../lists/list.ts';
import { type LogLine, type LogRange, linesWith, openLogs } from './logs.ts';

/** Number of rejections of a client for one reason, or of its tokens, upload URLs or recorded uploads. */
export interface RequestCount {
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

/** Logs of requests, with the messages of their lines. */
const messages = {
  rejections: rejectionsIn(Object.values(routes)),
  usage: [
    ...successesIn(Object.values(routes)),
    ...uploadLogs.map((log) => [log, logMessages.uploadRecorded] as const),
  ],
} as const satisfies Readonly<Record<string, readonly Lines[]>>;

/** Returns the log messages of rejections, with the logs of the functions that write them. */
export function rejectionsIn(all: readonly Route[]): readonly Lines[] {
  return linesOf(all, (route) => (route.needs === 'nothing' ? undefined : rejectionMessages[route.needs]));
}

/** Returns the log messages of successful requests, with the logs of the functions that write them. */
export function successesIn(all: readonly Route[]): readonly Lines[] {
  return linesOf(all, (route) => (route.needs === 'nothing' ? undefined : route.logs));
}

/** Returns the contents of successful responses that are counted, in words. */
export function countedContents(all: readonly Route[]): string {
  const contents = all.flatMap((route) =>
    route.needs === 'nothing' || route.logs === undefined ? [] : [route.returns],
  );
  return [...new Set(contents)].join(' or ');
}

type Lines = readonly [log: ReadLog, message: string];

/** Returns each log and message once, although several routes may share both. */
function linesOf(
  all: readonly Route[],
  messageOf: (route: Route) => LogMessage | undefined,
): readonly Lines[] {
  const lines = all.flatMap((route): readonly Lines[] => {
    const message = messageOf(route);
    return message === undefined ? [] : [[route.servedBy, logMessages[message]]];
  });
  return [...new Map(lines.map((line) => [line.join(), line])).values()];
}

/** Requests to count: `rejections` or `usage`. */
export type CountedRequests = keyof typeof messages;

const optionalText = v.optional(v.string());

/** Schema of a log line: the members that identify a row. */
const lineSchema = v.object({
  message: v.string(),
  request_id: optionalText,
  size: v.optional(v.number()),
  client_id: optionalText,
  organisation_id: optionalText,
  rejection: optionalText,
  ip: optionalText,
});

export interface CountOptions extends ReadProgress {
  readonly since: Date;
  readonly until: Date;
  /** True for one row for each organisation, in place of each client. */
  readonly byOrganisation: boolean;
}

/**
 * Counts requests by client or organisation, from the logs of the functions. Rows of known clients come first,
 * sorted by count, greatest first. The span of the same length before is counted too. `read` is the number of
 * requests.
 */
export async function countRequests(
  deployment: Deployment,
  counted: CountedRequests,
  { since, until, byOrganisation, isTimeUp, progress }: CountOptions,
): Promise<Page<RequestCount>> {
  const readLog = await openLogs(deployment);
  const [from, to] = [since.getTime(), until.getTime()];
  const rows = new Map<string, RequestCount>();
  const unknown = new Set<string>();
  let [read, isCutShort] = [0, false];
  const count = async ([log, message]: Lines, span: LogRange) => {
    for await (const { lines, isLast } of readLog([log], linesWith({ message }), span)) {
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
  const countAll = (span: LogRange) => Promise.all(messages[counted].map((lines) => count(lines, span)));
  await countAll({ from, to });
  if (!isCutShort) {
    await countAll({ from: Math.max(2 * from - to, 0), to: Math.max(from - 1, 0) });
  }
  const found = await withOwners(deployment, [...rows.values()], unknown, byOrganisation);
  const entries = isCutShort
    ? found.filter((row) => row.count > 0).map((row) => ({ ...row, before: undefined }))
    : found;
  return { entries: entries.sort(compareRows), next: undefined, isCutShort, read };
}

/** @param isCounted false for a request of the span before */
function rowOf({ at, members }: LogLine, isCounted: boolean): RequestCount {
  const { message, rejection = message, size, ip, request_id, ...client } = v.parse(lineSchema, members);
  const last = { last_at: timestamp(new Date(at)), last_ip: ip, last_request_id: request_id };
  const counts = isCounted ? { count: 1, before: 0, bytes: size } : { count: 0, before: 1, bytes: size && 0 };
  return { ...client, outcome: rejection, ...counts, ...last };
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
