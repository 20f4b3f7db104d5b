import { logGroupOf, type RequestLog } from '../../../contract/internal/request-log.ts';
import { cloudWatchLogsClient } from '../deployment/aws-clients.ts';
import type { Deployment } from '../deployment/deployment.ts';
import { listStackResources } from '../deployment/stack-resources.ts';

/** A line of a log. */
export interface LogLine {
  /** Milliseconds since the epoch. */
  readonly at: number;
  /** Members of the JSON object. */
  readonly members: Readonly<Record<string, unknown>>;
}

/**
 * Opens the logs of a deployment. CloudWatch does not charge for these reads. But each call reads only a few
 * megabytes of lines, and an account is limited to ten calls a second ("CloudWatch Logs quotas").
 */
export async function openLogs(deployment: Deployment) {
  const client = await cloudWatchLogsClient(deployment);
  const { namesOf } = await listStackResources(deployment);
  /**
   * Reads the lines whose `member` equals `value`, page by page, oldest first. A page may be empty although
   * another page follows (API reference, FilterLogEvents).
   *
   * @param range times in milliseconds since the epoch, both included
   */
  return async function* (
    log: RequestLog,
    member: 'message' | 'request_id',
    value: string,
    range: { readonly from: number; readonly to: number },
  ) {
    for (const logGroupName of namesOf('AWS::Logs::LogGroup', logGroupOf(log))) {
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
