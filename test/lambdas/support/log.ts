import type { Log } from '../../../lambdas/shared/log.ts';

export interface LogLine {
  readonly level: string;
  readonly message: string;
  readonly [field: string]: unknown;
}

/** A log that keeps its lines. */
export function recordingLog(): { readonly log: Log; readonly lines: LogLine[] } {
  const lines: LogLine[] = [];
  return { lines, log: (level, message, fields = {}) => lines.push({ level, message, ...fields }) };
}
