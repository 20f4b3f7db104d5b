import type { Route } from '../routes.ts';
import type { LogMessage } from './log-messages.ts';

/** A log with lines about requests: the access log, or the log of a function, named like its folder in `lambdas/`. */
export type RequestLog = 'access' | Route['servedBy'];

/** Prefixes of the logical IDs of log groups that do not follow from the folder of a function behind the API. */
const otherLogGroups = {
  access: 'ApiAccessLog',
  'record-upload': 'RecorderRecordLogs',
  'reconcile-uploads': 'ReconcilerReconcileLogs',
} as const;

/** Logs with lines about recorded uploads. */
export const uploadLogs = ['record-upload', 'reconcile-uploads'] as const satisfies readonly ReadLog[];

/** A log that operators read. */
export type ReadLog = RequestLog | keyof typeof otherLogGroups;

/** Returns the prefix of the logical ID of a log group, for example `WellKnownLogs`. */
export function logGroupOf(log: ReadLog): string {
  const groups: Readonly<Partial<Record<ReadLog, string>>> = otherLogGroups;
  return groups[log] ?? `${log.replaceAll(/(?:^|-)(\w)/g, (_, letter: string) => letter.toUpperCase())}Logs`;
}

/** Members of a line of the access log that operators read. */
export type AccessLogField =
  | 'request_id'
  | 'ip'
  | 'route'
  | 'status'
  | 'response_latency_ms'
  | 'integration_error';

/** Members of a function's line about a request. */
export type RequestLogField =
  | 'request_id'
  | 'route'
  | 'ip'
  | 'status'
  | 'client_id'
  | 'secret_id'
  | 'secret_ends_at'
  | 'organisation_id'
  | 'file_id'
  | 'upload_id'
  | 'size'
  | 'rejection'
  | 'reason'
  | 'token_problem'
  | 'claim'
  | 'error_name'
  | 'error_message'
  | 'aws_request_id';

/** Log messages of rejections, by the credentials that a route requires. */
export const rejectionMessages = {
  'client credentials': 'tokenRejected',
  'access token': 'requestRejected',
} as const satisfies Readonly<Record<Exclude<Route['needs'], 'nothing'>, LogMessage>>;
