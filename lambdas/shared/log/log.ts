import { noMetrics } from '../../../contract/internal/environment.ts';
import { type LogMessage, logMessages } from '../../../contract/internal/log-messages.ts';
import { type MetricName, type MetricValues, metrics } from '../../../contract/internal/metrics.ts';
import { StoredDataError } from '../../../storage/stored-data.ts';

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

interface LogOptions {
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
  return (level, message, fields, values) => {
    const at = now();
    const line = {
      timestamp: new Date(at).toISOString(),
      level,
      message: logMessages[message],
      ...fields,
      ...embeddedMetrics(metricsNamespace, values, at),
    };
    write(`${JSON.stringify(line)}\n`);
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

/**
 * Returns the members of a log line for its metrics (CloudWatch User Guide, "Specification: Embedded metric format").
 * CloudWatch reads them from the log, so no request waits for a call of CloudWatch.
 *
 * @param namespace name of the stack. Undefined or {@link noMetrics}: the line contains no metrics
 * @param at time of the line, in milliseconds since the epoch
 */
function embeddedMetrics(
  namespace: string | undefined,
  values: MetricValues | undefined,
  at: number,
): object {
  if (values === undefined || namespace === undefined || namespace === noMetrics) {
    return {};
  }
  const names = Object.keys(values).filter((name): name is MetricName => Object.hasOwn(metrics, name));
  const directive = {
    Namespace: namespace,
    // The empty set of dimensions stands for the whole metric.
    Dimensions: 'Reason' in values ? [[], ['Reason']] : [[]],
    Metrics: names.map((name) => ({ Name: name, Unit: metrics[name] })),
  };
  return { ...values, _aws: { Timestamp: at, CloudWatchMetrics: [directive] } };
}
