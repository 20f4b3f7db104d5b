import type { Log } from '../../../lambdas/shared/log/log.ts';
import type { MetricValues } from '../../../lambdas/shared/log/metrics.ts';

export interface LogLine {
  readonly level: string;
  readonly message: string;
  readonly [field: string]: unknown;
}

export interface RecordingLog {
  readonly log: Log;
  readonly lines: LogLine[];
  /** The metrics of the lines that have some. */
  readonly values: MetricValues[];
}

/** A log that keeps its lines. */
export function recordingLog(): RecordingLog {
  const lines: LogLine[] = [];
  const values: MetricValues[] = [];
  return {
    lines,
    values,
    log: (level, message, fields = {}, metrics = undefined) => {
      lines.push({ level, message, ...fields });
      if (metrics !== undefined) {
        values.push(metrics);
      }
    },
  };
}
