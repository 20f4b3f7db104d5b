import { TestRunner } from 'vitest';
import type { MetricValues } from '../../../contract/internal/metrics.ts';
import type { Log } from '../../../lambdas/shared/log/log.ts';

export interface LogLine {
  readonly level: string;
  readonly message: string;
  readonly [field: string]: unknown;
}

/** Creates a log that collects its lines. */
export function recordingLog() {
  const lines: LogLine[] = [];
  const values: MetricValues[] = [];
  showWhenTestFails(lines);
  const log: Log = (level, message, fields = {}, metrics = undefined) => {
    lines.push({ level, message, ...fields });
    values.push(...(metrics ? [metrics] : []));
  };
  return {
    log,
    lines,
    /** Metrics of all lines that contain metrics. */
    values,
  };
}

/** Returns the lines that a function logs to the console during a call. */
export async function printedBy(act: () => Promise<unknown>): Promise<readonly Record<string, unknown>[]> {
  const lines: Record<string, unknown>[] = [];
  showWhenTestFails(lines);
  const printing = vi.spyOn(process.stdout, 'write').mockImplementation((line) => {
    lines.push(JSON.parse(String(line)));
    return true;
  });
  try {
    await act();
    return lines;
  } finally {
    printing.mockRestore();
  }
}

const shownFor = new WeakMap<object, readonly unknown[]>();

/** Prints the last log lines if the test fails: they contain the reason of the failure. */
function showWhenTestFails(lines: readonly unknown[]): void {
  const test = TestRunner.getCurrentTest();
  if (test === undefined) {
    return;
  }
  if (!shownFor.has(test)) {
    onTestFailed(() => console.error('Logged:', JSON.stringify(shownFor.get(test), null, 2)));
  }
  shownFor.set(test, lines);
}
