import { cloudWatchLogsClient } from '../deployment/aws-clients.ts';
import type { Deployment } from '../deployment/deployment.ts';
import { listStackResources } from '../deployment/stack-resources.ts';

/** How the logical IDs of the log groups begin, by the names of the logs. A function has the name of its folder. */
const logGroups = {
  access: 'ApiAccessLog',
  token: 'TokenLogs',
  volumes: 'VolumesLogs',
  sync: 'SyncLogs',
  'well-known': 'WellKnownLogs',
} as const;

export type LogName = keyof typeof logGroups;

/** A line of a log. */
export interface LogLine {
  /** Milliseconds since the epoch. */
  readonly at: number;
  /** The members of the JSON object. */
  readonly members: Readonly<Record<string, unknown>>;
}

/** Times in milliseconds since the epoch. The end is included. */
interface LogRange {
  readonly from: number;
  readonly to: number;
}

/**
 * Reads the lines in which a member has a value, page by page, oldest first. A page may be empty although another one follows
 * (API reference, FilterLogEvents).
 */
export type ReadLog = (
  log: LogName,
  member: 'message' | 'request_id',
  value: string,
  range: LogRange,
) => AsyncIterable<{ readonly lines: readonly LogLine[]; readonly isLast: boolean }>;

/**
 * Opens the logs of a deployment. CloudWatch charges nothing for reading them this way. But each call reads a few megabytes
 * of lines, and an account may make ten calls a second ("CloudWatch Logs quotas").
 */
export async function openLogs(deployment: Deployment): Promise<ReadLog> {
  const client = await cloudWatchLogsClient(deployment);
  const { namesOf } = await listStackResources(deployment);
  return async function* (log, member, value, { from, to }) {
    for (const logGroupName of namesOf('AWS::Logs::LogGroup', logGroups[log])) {
      const filterPattern = `{ $.${member} = "${value}" }`;
      const input = { logGroupName, filterPattern, startTime: from, endTime: to };
      for await (const { events = [], nextToken } of client.paginateFilterLogEvents(input)) {
        const lines = events.map(({ timestamp = from, message = '{}' }) => {
          return { at: timestamp, members: JSON.parse(message) };
        });
        yield { lines, isLast: nextToken === undefined };
      }
    }
  };
}
