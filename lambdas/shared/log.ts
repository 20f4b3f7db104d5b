import { StoredDataError } from '../../storage/stored-data.ts';

/** Every message that a function logs. One catalogue, so that alarms and searches have something to hold on to. */
export const logMessages = {
  tokenIssued: 'Access token issued',
  tokenRefused: 'Access token refused',
  requestRefused: 'Request refused',
  requestFailed: 'Request failed unexpectedly',
  answerMismatch: 'Answer does not match the published schema',
  refreshFailed: 'Refresh failed, the cached value stays in use',
  foreignObject: 'Object is not an upload, ignored',
  tombstoneSeen: 'Tombstone seen',
  uploadRecorded: 'Upload recorded',
  recordFailed: 'Upload could not be recorded',
  keysEnsured: 'Signing keys are there',
  rotationStep: 'Rotation step done',
  keyRevoked: 'Signing key revoked',
  keyOperationFailed: 'Signing key operation failed',
} as const;

export type LogMessage = keyof typeof logMessages;

export type LogFields = Readonly<Record<string, unknown>>;

/** Writes one structured line. Fields must never hold a secret, a token, a private key or a URL signature. */
export type Log = (level: 'INFO' | 'WARN' | 'ERROR', message: LogMessage, fields?: LogFields) => void;

/** A log that writes one JSON object per line, as Lambda's JSON log format passes it on. */
export function createLog(
  write: (line: string) => void = (line) => void process.stdout.write(line),
  now: () => number = Date.now,
): Log {
  return (level, message, fields = {}) => {
    const line = {
      timestamp: new Date(now()).toISOString(),
      level,
      message: logMessages[message],
      ...fields,
    };
    write(`${JSON.stringify(line)}\n`);
  };
}

/** An error whose message was written by us and holds nothing secret, so that it may be logged. */
export class InternalError extends Error {
  override readonly name: string = 'InternalError';
}

/**
 * What may be logged of an error: its name, where it was thrown, and what AWS said about the call. The message of
 * a foreign error is left out, since it may quote input; AWS quotes whole requests, session token included, when
 * a signature does not match. Its messages for a denied action name action and resource only.
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
 * What a function may throw out of its handler: Lambda logs it, hands it to whoever invoked, and keeps it with a dead
 * letter. A foreign error goes no further than the line that {@link describeError} made of it.
 */
export function withoutDetail(error: unknown): Error {
  if (error instanceof Error && isOurs(error)) {
    return error;
  }
  const name = error instanceof Error ? error.name : typeof error;
  return new InternalError(`${name}: see the log of the function`);
}

/** Whether the message was written by us and holds nothing secret. */
function isOurs(error: Error): boolean {
  return error instanceof InternalError || error instanceof StoredDataError;
}

function describeAwsCall(error: Error): LogFields {
  if (!('$metadata' in error) || typeof error.$metadata !== 'object' || error.$metadata === null) {
    return {};
  }
  const { httpStatusCode, requestId, attempts } = error.$metadata as Record<string, unknown>;
  return { aws_status: httpStatusCode, aws_request_id: requestId, aws_attempts: attempts };
}

function stackFrames(error: Error): readonly string[] {
  const lines = (error.stack ?? '').split('\n').map((line) => line.trim());
  return lines.filter((line) => /^at .+:\d+:\d+\)?$/.test(line)).slice(0, 5);
}
