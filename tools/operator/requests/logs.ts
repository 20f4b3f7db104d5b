import { logGroupOf, type ReadLog } from '../../../contract/internal/request-log.ts';
import { cloudWatchLogsClient } from '../deployment/aws-clients.ts';
import type { Deployment } from '../deployment/deployment.ts';
import { listStackResources } from '../deployment/stack-resources.ts';

/** A line of a log. */
export interface LogLine {
  /** Milliseconds since the epoch. */
  readonly at: number;
  /** Id of the request, if the line is about one. */
  readonly id: string;
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
   * Reads the lines of logs that match a pattern, page by page, oldest first. A page may be empty although another page
   * follows (API reference, FilterLogEvents).
   *
   * @param filterPattern pattern from `linesWith` or `linesOf`
   * @param range times in milliseconds since the epoch, both included
   */
  return async function* (logs: readonly ReadLog[], filterPattern: string, range: LogRange) {
    for (const logGroupName of logs.flatMap((log) => namesOf('AWS::Logs::LogGroup', logGroupOf(log)))) {
      const input = { logGroupName, filterPattern, startTime: range.from, endTime: range.to };
      for await (const { events = [], nextToken } of client.paginateFilterLogEvents(input)) {
        const lines = events.map(({ timestamp = range.from, message = '{}' }): LogLine => {
          const members = JSON.parse(message);
          return { at: timestamp, id: members.request_id, members };
        });
        yield { lines, isLast: nextToken === undefined };
      }
    }
  };
}

export type LogReader = Awaited<ReturnType<typeof openLogs>>;

/** Times in milliseconds since the epoch, both included. */
export interface LogRange {
  readonly from: number;
  readonly to: number;
}

/** Returns windows of a range, newest first, each as long as all windows before it: most searches are for the last minutes. */
export function* windowsOf({ from, to }: LogRange, length: number): Generator<LogRange> {
  for (let [end, total] = [to, length]; end >= from; total *= 2) {
    const start = Math.max(to - total, from);
    yield { from: start, to: end };
    end = start - 1;
  }
}

/** Members that lines must have. A value that ends with `*` matches every text with the same start. */
export type LineMembers = Readonly<Record<string, string | undefined>>;

/** Returns the pattern of the lines with these members. The values must not contain quotation marks. */
export function linesWith(members: LineMembers): string {
  const known = Object.entries(members).filter(([, value]) => value !== undefined);
  return `{ ${known.map(([member, value]) => `$.${member} = "${value}"`).join(' && ')} }`;
}

/** Returns true if a line has these members. */
export function hasMembers({ members }: LogLine, wanted: LineMembers): boolean {
  return Object.entries(wanted).every(([member, value = '*']) =>
    value.endsWith('*') ? String(members[member]).startsWith(value.slice(0, -1)) : members[member] === value,
  );
}

/** Returns the pattern of the lines of requests. */
export function linesOf(ids: readonly string[]): string {
  return `{ ${ids.map((id) => `$.request_id = "${id}"`).join(' || ')} }`;
}
