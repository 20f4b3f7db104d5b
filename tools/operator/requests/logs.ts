import * as v from 'valibot';
import { syncRejections, tokenProblems, tokenRejections } from '../../../contract/internal/metrics.ts';
import {
  type AccessLogField,
  logGroupOf,
  type ReadLog,
  type RequestLogField,
} from '../../../contract/internal/request-log.ts';
import { cloudWatchLogsClient } from '../deployment/aws-clients.ts';
import type { Deployment } from '../deployment/deployment.ts';
import { listStackResources } from '../deployment/stack-resources.ts';

const text = v.optional(v.string());

/** Schema of the members that the description of a request contains. */
export const shownSchema = v.object({
  request_id: text,
  route: text,
  status: v.optional(v.pipe(v.union([v.string(), v.number()]), v.transform(Number))),
  ip: text,
  client_id: text,
  secret_id: text,
  organisation_id: text,
  file_id: text,
  upload_id: text,
  rejection: v.optional(v.picklist([...tokenRejections, ...syncRejections])),
  aws_request_id: text,
  response_latency_ms: text,
});

/** Schema of a log line: the members that operators read, in the access log and in the logs of the functions. */
const lineSchema = v.object({
  ...shownSchema.entries,
  message: text,
  secret_ends_at: text,
  size: v.optional(v.number()),
  reason: text,
  token_problem: v.optional(v.picklist(tokenProblems)),
  claim: text,
  error_name: text,
  error_message: text,
  integration_error: text,
} satisfies { readonly [Field in AccessLogField | RequestLogField | 'message']: v.GenericSchema });

export type LogMembers = v.InferOutput<typeof lineSchema>;

/** A line of a log. */
export interface LogLine {
  /** Milliseconds since the epoch. */
  readonly at: number;
  /** Id of the request, if the line is about one. */
  readonly id: string;
  readonly members: LogMembers;
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
   * follows (API reference, FilterLogEvents). API Gateway writes `-` for an unknown value, which is left out.
   *
   * @param filterPattern pattern from `linesWith` or `linesOf`
   * @param range times in milliseconds since the epoch, both included
   */
  return async function* (logs: readonly ReadLog[], filterPattern: string, range: LogRange) {
    for (const logGroupName of logs.flatMap((log) => namesOf('AWS::Logs::LogGroup', logGroupOf(log)))) {
      const input = { logGroupName, filterPattern, startTime: range.from, endTime: range.to };
      for await (const { events = [], nextToken } of client.paginateFilterLogEvents(input)) {
        const lines = events.map(({ timestamp = range.from, message = '{}' }): LogLine => {
          const known = Object.entries(JSON.parse(message)).filter(([, value]) => value !== '-');
          const members = v.parse(lineSchema, Object.fromEntries(known));
          return { at: timestamp, id: members.request_id ?? '', members };
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

/** Returns windows of a range, newest first, each as long as all before it: most searches are for the last minutes. */
export function* windowsOf({ from, to }: LogRange, length: number): Generator<LogRange> {
  for (let [end, total] = [to, length]; end >= from; total *= 2) {
    const start = Math.max(to - total, from);
    yield { from: start, to: end };
    end = start - 1;
  }
}

/** Members of lines, by name. A value that ends with `*` matches every text with the same start. */
export type Wanted = { readonly [Member in keyof LogMembers]: string | undefined };

/** Returns the pattern of the lines with these members. The values must not contain quotation marks. */
export function linesWith(members: Wanted): string {
  const known = Object.entries(members).filter(([, value]) => value !== undefined);
  return `{ ${known.map(([member, value]) => `$.${member} = "${value}"`).join(' && ')} }`;
}

/** Returns the pattern of the lines with one of these values. */
export function linesOf(member: keyof LogMembers, values: readonly string[]): string {
  return `{ ${values.map((value) => `$.${member} = "${value}"`).join(' || ')} }`;
}
