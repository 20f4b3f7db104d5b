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

/**
 * Opens the logs of a deployment. CloudWatch charges nothing for reading them this way. But each call reads a few megabytes
 * of lines, and an account may make ten calls a second ("CloudWatch Logs quotas").
 */
export async function openLogs(deployment: Deployment) {
  const client = await cloudWatchLogsClient(deployment);
  const { namesOf } = await listStackResources(deployment);
  /**
   * Reads the lines in which a member has a value, page by page, oldest first. A page may be empty although another one
   * follows (API reference, FilterLogEvents).
   *
   * @param range times in milliseconds since the epoch. The end is included
   */
  return async function* (
    log: LogName,
    member: 'message' | 'request_id',
    value: string,
    range: { readonly from: number; readonly to: number },
  ) {
    for (const logGroupName of namesOf('AWS::Logs::LogGroup', logGroups[log])) {
      const filterPattern = `{ $.${member} = "${value}" }`;
      const input = { logGroupName, filterPattern, startTime: range.from, endTime: range.to };
      for await (const { events = [], nextToken } of client.paginateFilterLogEvents(input)) {
        const lines = events.map(({ timestamp = range.from, message = '{}' }): LogLine => {
          return { at: timestamp, members: JSON.parse(message) };
        });
        yield { lines, isLast: nextToken === undefined };
      }
    }
  };
}

export type ReadLog = Awaited<ReturnType<typeof openLogs>>;
