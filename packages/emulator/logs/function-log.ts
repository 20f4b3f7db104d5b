import { join } from 'node:path';
import type { RecordMetric } from '../cloudwatch/metric-store.ts';
import type { Authorize } from '../iam/authorize.ts';
import type { LambdaFunction } from '../lambda/variables.ts';
import { isJsonObject, type JsonObject } from '../shared/json.ts';
import { regionalArn, type StackIdentity } from '../shared/names.ts';
import { readEmbeddedMetrics } from './embedded-metrics.ts';
import type { LogFile } from './log-file.ts';
import type { MetricFilters } from './metric-filters.ts';

export interface LogLinesOptions {
  readonly file: LogFile;
  /** Takes a line of level ERROR as one line of JSON, without control characters. */
  readonly onError: (line: string) => void;
  /** Takes each line that is a JSON object. Metrics are made of it. */
  readonly onEntry: (entry: JsonObject) => void;
}

/** Takes the lines of a function. All go to its file, and errors to a person as well, who sees why there was a 500. */
export function logLines({ file, onError, onEntry }: LogLinesOptions): (line: string) => void {
  return (line) => {
    file.write(line);
    const entry = parseLine(line);
    if (entry === undefined) {
      return;
    }
    onEntry(entry);
    if (entry.level === 'ERROR') {
      onError(JSON.stringify(entry));
    }
  };
}

/** A line that is not JSON does not come from the function's logger: it is a warning of Node, or a crash. */
export function parseLine(line: string): JsonObject | undefined {
  try {
    const entry: unknown = JSON.parse(line);
    return isJsonObject(entry) ? entry : undefined;
  } catch {
    return undefined;
  }
}

export interface LogMetricsOptions {
  readonly functionName: string;
  /** The metric filters of the function's log group. */
  readonly filters: MetricFilters;
  readonly record: RecordMetric;
  readonly log: (line: Readonly<Record<string, unknown>>) => void;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
}

/**
 * Makes metrics of the lines of a function, by the embedded metric format and by metric filters. Of a line in a wrong
 * format AWS takes no metric, and says so in metrics of its own (`EMFValidationErrors`). Here it is an error in the log.
 */
export function recordLogMetrics(options: LogMetricsOptions): (entry: JsonObject) => void {
  const { functionName, filters, record, log, now } = options;
  return (entry) => {
    const at = now();
    const { data, problem } = readEmbeddedMetrics(entry, at);
    if (problem !== undefined) {
      const message = 'a log line has metrics that CloudWatch does not take';
      log({ level: 'error', message, function: functionName, problem });
    }
    for (const each of [...data, ...filters(entry, at)]) {
      record(each);
    }
  };
}

/**
 * Makes metrics of the lines of the access log, by the metric filters of its log group. What a service writes by itself
 * has no embedded metrics.
 */
export function recordAccessMetrics(filters: MetricFilters, record: RecordMetric) {
  return (line: string, at: number): void => {
    const entry = parseLine(line);
    for (const data of entry === undefined ? [] : filters(entry, at)) {
      record(data);
    }
  };
}

/** The log group of a function. */
export function logGroupOf({ ref, properties }: LambdaFunction): string {
  return properties.LoggingConfig?.LogGroup ?? `/aws/lambda/${ref}`;
}

/** The file that has the lines of a function. @param directory the one of all logs */
export function logFileOf({ ref }: LambdaFunction, directory: string): string {
  return join(directory, `${ref}.log`);
}

/** A function, as far as its log is concerned. */
export interface LogWriter {
  readonly roleArn: string;
  readonly functionName: string;
  readonly logGroupName: string;
}

/**
 * Whether Lambda may write the log of a function. Lambda needs both permissions, and takes them from the function's
 * role. Without them the function runs and its lines are lost (Lambda, "Sending Lambda function logs to CloudWatch
 * Logs").
 */
export function mayWriteLogs(writer: LogWriter, authorize: Authorize, stack: StackIdentity): boolean {
  const { roleArn, functionName, logGroupName } = writer;
  const principal = { kind: 'session', roleArn, sessionName: functionName } as const;
  const streams = regionalArn('logs', `log-group:${logGroupName}:log-stream:`, stack);
  return (
    authorize({ principal, action: 'logs:CreateLogStream', resource: streams }).allowed &&
    authorize({ principal, action: 'logs:PutLogEvents', resource: `${streams}local` }).allowed
  );
}
