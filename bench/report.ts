import type { Measurement } from './measurement.ts';
import type { Verdict } from './verdict.ts';

/** A measurement that ended with an error, and so has no figure. */
export interface Failure {
  readonly measurement: Measurement;
  readonly error: string;
}

/** What one run found, for a person. */
export function table(verdicts: readonly Verdict[], failures: readonly Failure[]): string {
  const heading = ['name', 'figure', 'noise of this run', 'target', 'holds', 'what'];
  const rows = [heading, ...verdicts.map(rowOf), ...failures.map(failedRow)];
  const widths = heading.map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  const lines = rows.map((row) => row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join('  '));
  return `${lines.map((line) => line.trimEnd()).join('\n')}\n${details(verdicts)}${warnings(verdicts, failures)}`;
}

function rowOf({ measurement, figure, noise, holds, lost }: Verdict): readonly string[] {
  const { id, what, target, better, unit } = measurement;
  const suffix = unit === 'seconds' ? ' s' : '';
  const sign = better === 'lower' ? '<=' : '>=';
  return [
    id,
    `${figure.toFixed(2)}${suffix}`,
    `${noise.low.toFixed(2)} to ${noise.high.toFixed(2)}`,
    `${sign} ${target.toFixed(2)}${suffix}`,
    holds ? 'yes' : lost ? 'LOST' : 'no',
    what,
  ];
}

function failedRow({ measurement }: Failure): readonly string[] {
  return [measurement.id, '-', '-', String(measurement.target), 'FAILED', measurement.what];
}

/** The figures behind the samples, each once, although several measurements may come from the same samples. */
function details(verdicts: readonly Verdict[]): string {
  const figures = new Map(verdicts.flatMap(({ measured }) => Object.entries(measured.detail)));
  if (figures.size === 0) {
    return '';
  }
  const width = Math.max(...[...figures.keys()].map((name) => name.length));
  const lines = [...figures].map(([name, value]) => `  ${name.padEnd(width)}  ${shortNumber(value)}\n`);
  return `\nBehind these figures (medians):\n${lines.join('')}`;
}

function shortNumber(value: number): string {
  return value >= 100 ? value.toFixed(0) : value.toPrecision(3);
}

function warnings(verdicts: readonly Verdict[], failures: readonly Failure[]): string {
  const lost = verdicts.filter((verdict) => verdict.lost).map(({ measurement }) => measurement.id);
  return [
    ...failures.map(({ measurement, error }) => `\n${measurement.id} could not be measured: ${error}\n`),
    ...lost.map((id) => `\n${id} held before, and no longer holds by more than the noise of this run.\n`),
  ].join('');
}

/** The same as {@link table}, for programs. */
export function json(rounds: number, verdicts: readonly Verdict[], failures: readonly Failure[]): string {
  const measurements = verdicts.map((verdict) => {
    const { id, what, unit, target, better } = verdict.measurement;
    const { figure, noise, holds, lost } = verdict;
    const { samples, detail } = verdict.measured;
    return {
      id,
      what,
      unit,
      figure,
      noise,
      target,
      better,
      holds,
      held_before: verdict.heldBefore,
      lost,
      samples,
      detail,
    };
  });
  const failed = failures.map(({ measurement, error }) => ({ id: measurement.id, error }));
  return `${JSON.stringify({ node: process.version, rounds, measurements, failed }, undefined, 2)}\n`;
}
