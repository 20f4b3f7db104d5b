import { logMessages } from '../../../lambdas/shared/log/log.ts';
import type { Timestamp } from '../../../storage/attributes.ts';
import { cloudWatchLogsClient } from '../deployment/aws-clients.ts';
import type { Deployment } from '../deployment/deployment.ts';
import { listStackResources } from '../deployment/stack-resources.ts';
import type { Looking, Page } from '../lists/list.ts';
import type { ActivityRange } from './activity.ts';

/** How often a client was refused for one reason, or got one thing. */
export interface RequestCount {
  /** Absent: the service did not look for the client, or found none. Anybody can invent ids, so all of them share a row. */
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
        addTo(rows, JSON.parse(message));
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
  return { entries: [...rows.values()].sort(compareRows), next: undefined, isCutShort, read };
}

/** Adds a request to its row. The logs are read at the same time, so a later request may come first. */
function addTo(rows: Map<string, RequestCount>, line: Line): void {
  const { organisation_id, timestamp, message, refusal: outcome = message, ip, request_id } = line;
  const client_id = organisation_id === undefined ? undefined : line.client_id;
  const key = `${client_id} ${outcome}`;
  const before = rows.get(key);
  const count = (before?.count ?? 0) + 1;
  const last = { last_at: timestamp, last_ip: ip, last_request_id: request_id };
  const row = { client_id, organisation_id, outcome, count, ...last };
  rows.set(key, before !== undefined && before.last_at > timestamp ? { ...before, count } : row);
}

/** First the rows of clients, and the greatest count first. */
function compareRows(a: RequestCount, b: RequestCount): number {
  return Number(a.client_id === undefined) - Number(b.client_id === undefined) || b.count - a.count;
}
