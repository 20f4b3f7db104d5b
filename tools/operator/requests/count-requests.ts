import * as v from 'valibot';
import { logMessages } from '../../../lambdas/shared/log/log.ts';
import { type Timestamp, timestamp } from '../../../storage/attributes.ts';
import type { Deployment } from '../deployment/deployment.ts';
import { readItems } from '../deployment/items.ts';
import type { Page, ReadProgress } from '../lists/list.ts';
import { type LogLine, type LogName, openLogs } from './logs.ts';

/** How often a client was rejected for one reason, or got one thing. */
export interface RequestCount {
  /** Absent: no client has the ids of these requests, or they have none. Anybody can invent ids, so they share a row. */
  readonly client_id?: string | undefined;
  readonly organisation_id?: string | undefined;
  /** The code of a rejection, such as `wrong_secret`, or the log message of a success. */
  readonly outcome: string;
  readonly count: number;
  /** The last of these requests. */
  readonly last_at: Timestamp;
  readonly last_ip?: string | undefined;
  readonly last_request_id?: string | undefined;
}

/** The log messages of requests, with their logs. */
const messages = {
  rejections: [
    ['token', logMessages.tokenRejected],
    ['volumes', logMessages.requestRejected],
    ['sync', logMessages.requestRejected],
  ],
  usage: [
    ['token', logMessages.tokenIssued],
    ['sync', logMessages.uploadUrlIssued],
  ],
} as const;

/** Requests that were rejected, or requests that got a token or an upload URL. */
export type CountedRequests = keyof typeof messages;

const optionalText = v.optional(v.string());

/** The members of a log line by which requests are counted. */
const lineSchema = v.object({
  message: v.string(),
  request_id: v.string(),
  client_id: optionalText,
  organisation_id: optionalText,
  rejection: optionalText,
  ip: optionalText,
});

/**
 * Counts requests by client, from the logs of the functions. The rows of clients come first, and the greatest count. `read`
 * is the number of requests.
 */
export async function countRequests(
  deployment: Deployment,
  counted: CountedRequests,
  { since, until }: { readonly since: Date; readonly until: Date },
  { isTimeUp, progress }: ReadProgress,
): Promise<Page<RequestCount>> {
  const readLog = await openLogs(deployment);
  const range = { from: since.getTime(), to: until.getTime() };
  const rows = new Map<string, RequestCount>();
  const unknown = new Set<string>();
  let [read, isCutShort] = [0, false];
  const count = async (log: LogName, message: string) => {
    for await (const { lines, isLast } of readLog(log, 'message', message, range)) {
      for (const line of lines) {
        const row = rowOf(line);
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
  await Promise.all(messages[counted].map(([log, message]) => count(log, message)));
  const entries = await withOwners(deployment, [...rows.values()], unknown);
  return { entries: entries.sort(compareRows), next: undefined, isCutShort, read };
}

function rowOf({ at, members }: LogLine): RequestCount {
  const { message, rejection = message, ip, request_id, ...client } = v.parse(lineSchema, members);
  const last = { last_at: timestamp(new Date(at)), last_ip: ip, last_request_id: request_id };
  return { ...client, outcome: rejection, count: 1, ...last };
}

/** Adds requests to their row. The logs are read at the same time, so a later request may come first. */
function addTo(rows: Map<string, RequestCount>, row: RequestCount): void {
  const key = `${row.client_id} ${row.outcome}`;
  const before = rows.get(key);
  const last = before !== undefined && before.last_at > row.last_at ? before : row;
  rows.set(key, { ...last, count: row.count + (before?.count ?? 0) });
}

/** The most ids that are looked up. DynamoDB reads them in one call. */
const maxUnknown = 100;

/** Whether an id is looked up. A line without an id has `-`, which no client has. */
function isAmongFirst(unknown: Set<string>, id = '-'): boolean {
  if (unknown.size < maxUnknown) {
    unknown.add(id);
  }
  return unknown.has(id);
}

/** Some lines have the id of a client, but not its owner: a mistyped secret is rejected before the client is read. */
async function withOwners(deployment: Deployment, found: readonly RequestCount[], unknown: Set<string>) {
  const clients = await readItems(deployment, 'client', [...unknown]);
  const owners = new Map(clients.map((item) => [item.client_id?.S, item.organisation_id?.S]));
  const rows = new Map<string, RequestCount>();
  for (const { client_id, organisation_id = owners.get(client_id), ...row } of found) {
    addTo(rows, { client_id: organisation_id && client_id, organisation_id, ...row });
  }
  return [...rows.values()];
}

/** First the rows of clients, and the greatest count first. */
function compareRows(a: RequestCount, b: RequestCount): number {
  return Number(a.client_id === undefined) - Number(b.client_id === undefined) || b.count - a.count;
}
