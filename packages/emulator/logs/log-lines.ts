import type { RecordMetric } from '../cloudwatch/metric-store.ts';
import { isJsonObject, type JsonObject } from '../shared/json.ts';
import type { Log } from '../shared/log.ts';
import { readEmbeddedMetrics } from './embedded-metrics.ts';
import type { MetricFilters } from './metric-filters.ts';

/**
 * Reads a line of JSON. Returns undefined for another line, such as a warning of Node or the trace of a
 * crash.
 */
export function parseLine(line: string): JsonObject | undefined {
  try {
    const entry: unknown = JSON.parse(line);
    return isJsonObject(entry) ? entry : undefined;
  } catch {
    return undefined;
  }
}

interface LogMetricsOptions {
  readonly functionName: string;
  /** Metric filters of the function's log group. */
  readonly filters: MetricFilters;
  readonly record: RecordMetric;
  readonly log: Log;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
}

/**
 * Creates metrics from the lines of a function, by the embedded metric format and by metric filters. AWS
 * ignores the metrics of a line in a wrong format, and counts such lines (`EMFValidationErrors`). Here such a
 * line is logged as an error.
 */
export function recordLogMetrics(options: LogMetricsOptions): (entry: JsonObject) => void {
  const { functionName, filters, record, log, now } = options;
  return (entry) => {
    const at = now();
    const { data, problem } = readEmbeddedMetrics(entry, at);
    if (problem !== undefined) {
      const message = 'a log line contains metrics that CloudWatch rejects';
      log({ level: 'error', message, function: functionName, problem });
    }
    for (const each of [...data, ...filters(entry, at)]) {
      record(each);
    }
  };
}

/**
 * Creates metrics from the lines of the access log, by the metric filters of its log group. Lines that a
 * service writes contain no embedded metrics.
 */
export function recordAccessMetrics(filters: MetricFilters, record: RecordMetric) {
  return (line: string, at: number): void => {
    const entry = parseLine(line);
    for (const data of entry === undefined ? [] : filters(entry, at)) {
      record(data);
    }
  };
}
