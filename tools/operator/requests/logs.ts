import { logGroupOf, type ReadLog } from '../../../contract/internal/request-log.ts';
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
   * Reads the lines that match a pattern, page by page, oldest first. A page may be empty although another page
   * follows (API reference, FilterLogEvents).
   *
   * @param filterPattern pattern from `linesWith` or `linesWithAny`. Undefined: all lines
   * @param range times in milliseconds since the epoch, both included
   */
  return async function* (log: ReadLog, filterPattern: string | undefined, range: LogRange) {
    for (const logGroupName of namesOf('AWS::Logs::LogGroup', logGroupOf(log))) {
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

export type LogReader = Awaited<ReturnType<typeof openLogs>>;

/** Times in milliseconds since the epoch, both included. */
export interface LogRange {
  readonly from: number;
  readonly to: number;
}

/**
 * Returns the pattern of the lines in which each member has its value. A value that ends with `*` matches every
 * text with the same start. The values must not contain quotation marks.
 *
 * @returns undefined if no member has a value: all lines match
 */
export function linesWith(members: Readonly<Record<string, string | undefined>>): string | undefined {
  const terms = Object.entries(members).flatMap(([member, value]) =>
    value === undefined ? [] : [termOf(member, value)],
  );
  return terms.length === 0 ? undefined : patternOf(terms, '&&');
}

/** Returns the pattern of the lines in which the member has one of the values. */
export function linesWithAny(member: string, values: readonly string[]): string {
  const terms = values.map((value) => termOf(member, value));
  return patternOf(terms, '||');
}

function termOf(member: string, value: string): string {
  return `$.${member} = "${value}"`;
}

function patternOf(terms: readonly string[], operator: '&&' | '||'): string {
  return terms.length === 1 ? `{ ${terms[0]} }` : `{ (${terms.join(`) ${operator} (`)}) }`;
}
