import type { Route } from '../../../contract/routes.ts';
import { StoredDataError } from '../../../storage/stored-data.ts';
import { createEmbeddedMetrics } from './embedded-metrics.ts';
import type { MetricValues } from './metrics.ts';

/** All log messages of the functions. The texts are fixed, so that alarms and searches can rely on them. */
export const logMessages = {
  tokenIssued: 'Access token issued',
  tokenRejected: 'Access token rejected',
  uploadUrlIssued: 'Upload URL issued',
  requestRejected: 'Request rejected',
  requestFailed: 'Request failed unexpectedly',
  responseMismatch: 'Answer does not match the published schema',
  refreshFailed: 'Keys could not be refreshed, the cached ones stay in use',
  foreignObject: 'Object ignored, its key is not that of an upload',
  tombstoneSeen: 'Object is a tombstone, not an upload',
  secondVersion: 'Second version of an upload, it is not content',
  uploadRecorded: 'Upload recorded',
  uploadSuperseded: 'Upload superseded by later content of its file',
  uploadDiscarded: 'Upload not recorded as content, its file is deleted',
  announcementWaits: 'Event not taken by EventBridge, the reconciliation announces the upload',
  recordFailed: 'Upload could not be recorded',
  uploadReconciled: 'Upload recorded by the reconciliation, its event was lost, not recorded or not taken',
  uploadExpired: 'Upload URL expired, nobody used it',
  contentDeleted: 'Replaced content deleted, it is kept for supersededRetentionDays',
  reconcileFailed: 'Upload could not be reconciled',
  reconciliationDone: 'Due uploads reconciled',
  keysEnsured: 'Signing keys exist',
  rotationStep: 'Rotation step done',
  scheduleEnsured: 'Rotation schedule is set',
  scheduleTested: 'Rotation schedule tested by Secrets Manager',
  operatorAsked: 'An operator asked for a change of the signing keys',
  keyOperationWaits: 'Signing key operation waits, and is tried again',
  keyRevoked: 'Signing key revoked',
  keyOperationFailed: 'Signing key operation failed',
  deletionProtected: 'Protected from deletion',
  protectionFailed: 'Could not be protected from deletion',
} as const;

export type LogMessage = keyof typeof logMessages;

/** Log messages of rejections, by the credentials that a route requires. */
export const rejectionMessages = {
  'client credentials': 'tokenRejected',
  'access token': 'requestRejected',
} as const satisfies Readonly<Record<Exclude<Route['needs'], 'nothing'>, LogMessage>>;

export type LogFields = Readonly<Record<string, unknown>>;

/**
 * Writes one structured line. Fields must never contain a secret, a token, a private key or a URL signature.
 *
 * @param values metrics for CloudWatch
 */
export type Log = (
  level: 'INFO' | 'WARN' | 'ERROR',
  message: LogMessage,
  fields?: LogFields,
  values?: MetricValues,
) => void;

export interface LogOptions {
  readonly write?: (line: string) => void;
  /** Milliseconds since the epoch. */
  readonly now?: () => number;
  /**
   * Name of the stack, which separates the metrics of several stages. Absent: the lines contain no metrics.
   */
  readonly metricsNamespace?: string;
}

/**
 * Creates a log that writes one JSON object per line. Lambda's JSON log format passes these lines on
 * unchanged.
 */
export function createLog(options: LogOptions = {}): Log {
  const { write = (line) => void process.stdout.write(line), now = Date.now, metricsNamespace } = options;
  const embed = metricsNamespace === undefined ? () => '' : createEmbeddedMetrics(metricsNamespace);
  return (level, message, fields, values) => {
    const at = now();
    const line = {
      timestamp: new Date(at).toISOString(),
      level,
      message: logMessages[message],
      ...fields,
    };
    write(`${JSON.stringify(line).slice(0, -1)}${embed(values, at)}}\n`);
  };
}

/** An error with a message of ours without secrets, so the message may be logged. */
export class InternalError extends Error {
  override readonly name: string = 'InternalError';
}

/**
 * Returns the parts of an error that may be logged: its name, its stack frames, and the metadata of an AWS
 * call. The message is logged only if it is ours, or if AWS denied an action: that message contains only the
 * action and the resource. Any other message may quote input. If a signature does not match, AWS quotes the
 * whole request, session token included.
 */
export function describeError(error: unknown): LogFields {
  if (!(error instanceof Error)) {
    return { error_name: typeof error };
  }
  const quotable = isOurs(error) || /^AccessDenied/.test(error.name);
  return {
    error_name: error.name,
    ...(quotable ? { error_message: error.message } : {}),
    ...describeAwsCall(error),
    error_at: stackFrames(error),
  };
}

/**
 * Returns the error that a handler may throw. Lambda logs a thrown error, returns it to the invoker, and
 * stores it with a dead letter. So only an error of ours is thrown unchanged. Any other error is replaced:
 * the log contains the result of {@link describeError}.
 */
export function withoutDetail(error: unknown): Error {
  if (error instanceof Error && isOurs(error)) {
    return error;
  }
  const name = error instanceof Error ? error.name : typeof error;
  return new InternalError(`${name}: see the log of the function`);
}

/** True if the message is ours and contains no secret. */
function isOurs(error: Error): boolean {
  return error instanceof InternalError || error instanceof StoredDataError;
}

function describeAwsCall(error: Error): LogFields {
  if (!('$metadata' in error)) {
    return {};
  }
  const { httpStatusCode, requestId, attempts } = error.$metadata as Record<string, unknown>;
  return { aws_status: httpStatusCode, aws_request_id: requestId, aws_attempts: attempts };
}

/**
 * Returns the frames of a stack trace. The message comes before them, and may contain lines that look like
 * frames.
 */
function stackFrames(error: Error): readonly string[] {
  const lines = (error.stack ?? '')
    .replace(error.message, '')
    .split('\n')
    .map((line) => line.trim());
  return lines.filter((line) => /^at .+:\d+:\d+\)?$/.test(line)).slice(0, 5);
}
