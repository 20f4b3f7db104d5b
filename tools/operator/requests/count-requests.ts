import { logMessages } from '../../../lambdas/shared/log/log.ts';
import type { Timestamp } from '../../../storage/attributes.ts';
import { cloudWatchLogsClient } from '../deployment/aws-clients.ts';
import type { Deployment } from '../deployment/deployment.ts';
import { readItems } from '../deployment/items.ts';
import { listStackResources } from '../deployment/stack-resources.ts';
import type { Looking, Page } from '../lists/list.ts';
import type { ActivityRange } from './activity.ts';

/** How often a client was refused for one reason, or got one thing. */
export interface RequestCount {
  /** Absent: no client has the ids of these requests, or they have none. Anybody can invent ids, so they share a row. */
  readonly client_id?: string | undefined;
  readonly organisation_id?: string | undefined;
  /** The code of a refusal, such as `wrong_secret`, or the log message of a success. */
  readonly outcome: string;
  readonly count: number;
  /** The last of these requests. Functions of older versions did not log its address. */
  readonly last_at: Timestamp;
  readonly last_ip?: string | undefined;
  readonly last_request_id?: string | undefined;
}

/** The log messages of requests, by the beginning of the log group's logical ID. */
const messages = {
  refused: {
    TokenLogs: logMessages.tokenRefused,
    VolumesLogs: logMessages.requestRefused,
    SyncLogs: logMessages.requestRefused,
  },
  served: { TokenLogs: logMessages.tokenIssued, SyncLogs: logMessages.uploadUrlIssued },
} as const;

/** Requests that were refused, or requests that got a token or an upload URL. */
export type Answered = keyof typeof messages;

/** The fields of a log line by which requests are counted. */
interface Line extends Pick<RequestCount, 'client_id' | 'organisation_id'> {
  readonly timestamp: Timestamp;
  readonly message: string;
  readonly refusal?: string;
  readonly ip?: string;
  readonly request_id: string;
}

/**
 * Counts requests by client, from the logs of the functions. CloudWatch charges nothing for these calls. But each call reads
 * a few megabytes of lines, the oldest first, and an account may make ten calls a second. The rows of clients come first, and
 * the greatest count. `read` is the number of requests.
 */
export async function countRequests(
  deployment: Deployment,
  answered: Answered,
  { since, until }: Pick<ActivityRange, 'since' | 'until'>,
  { isTimeUp = () => false, progress = () => undefined }: Looking = {},
): Promise<Page<RequestCount>> {
  const client = await cloudWatchLogsClient(deployment);
  const { namesOf } = await listStackResources(deployment);
  const rows = new Map<string, RequestCount>();
  const unknown = new Set<string>();
  let [read, isCutShort] = [0, false];
  const readLog = async (logGroupName: string, text: string) => {
    const pages = client.paginateFilterLogEvents({
      logGroupName,
      filterPattern: `{ $.message = "${text}" }`,
      startTime: since.getTime(),
      endTime: until.getTime(),
    });
    for await (const { events = [], nextToken } of pages) {
      for (const { message = '{}' } of events) {
        const row = rowOf(JSON.parse(message));
        const mayBeKnown = row.organisation_id !== undefined || isAmongFirst(unknown, row.client_id);
        addTo(rows, mayBeKnown ? row : { ...row, client_id: undefined });
      }
      read += events.length;
      progress(read);
      if (nextToken !== undefined && isTimeUp()) {
        isCutShort = true;
        return;
      }
    }
  };
  await Promise.all(
    Object.entries(messages[answered]).flatMap(([logicalId, text]) =>
      namesOf('AWS::Logs::LogGroup', logicalId).map((name) => readLog(name, text)),
    ),
  );
  const entries = await withOwners(deployment, [...rows.values()], unknown);
  return { entries: entries.sort(compareRows), next: undefined, isCutShort, read };
}

function rowOf({ timestamp, message, refusal = message, ip, request_id, ...line }: Line): RequestCount {
  const { client_id, organisation_id } = line;
  const last = { last_at: timestamp, last_ip: ip, last_request_id: request_id };
  return { client_id, organisation_id, outcome: refusal, count: 1, ...last };
}

/** Adds requests to their row. The logs are read at the same time, so a later request may come first. */
function addTo(rows: Map<string, RequestCount>, row: RequestCount): void {
  const key = `${row.client_id} ${row.outcome}`;
  const before = rows.get(key);
  const last = before !== undefined && before.last_at > row.last_at ? before : row;
  rows.set(key, { ...last, count: row.count + (before?.count ?? 0) });
}

/** The most ids that are looked up. DynamoDB reads them in one call. */
const mostUnknown = 100;

function isAmongFirst(unknown: Set<string>, id: string | undefined): boolean {
  if (id !== undefined && unknown.size < mostUnknown) {
    unknown.add(id);
  }
  return id !== undefined && unknown.has(id);
}

/** Some lines have the id of a client, but not its owner: a mistyped secret is refused before the client is read. */
async function withOwners(deployment: Deployment, counted: readonly RequestCount[], unknown: Set<string>) {
  const clients = await readItems(deployment, 'client', [...unknown]);
  const owners = new Map(clients.map((item) => [item.client_id?.S, item.organisation_id?.S]));
  const rows = new Map<string, RequestCount>();
  for (const { client_id, organisation_id = owners.get(client_id), ...row } of counted) {
    addTo(rows, { client_id: organisation_id && client_id, organisation_id, ...row });
  }
  return [...rows.values()];
}

/** First the rows of clients, and the greatest count first. */
function compareRows(a: RequestCount, b: RequestCount): number {
  return Number(a.client_id === undefined) - Number(b.client_id === undefined) || b.count - a.count;
}
