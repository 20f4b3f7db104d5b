import type { Defect, Subject } from './defect.ts';
import type { Outcome } from './outcome.ts';

/** A defect, and what became of it. */
export interface Planted {
  readonly subject: string;
  readonly defect: Defect;
  readonly outcome: Outcome;
  readonly seconds: number;
}

/** One line about a defect: `caught      token-early-return: by "title" (file)`. */
export function lineOf({ defect, outcome }: Pick<Planted, 'defect' | 'outcome'>): string {
  return `${resultOf(outcome).padEnd(19)}  ${defect.name}: ${explain(defect, outcome)}`;
}

/** What is not as it should be stands out among many lines. */
function resultOf({ result }: Outcome): string {
  return result === 'caught' ? result : result.toUpperCase();
}

function explain({ promise }: Defect, outcome: Outcome): string {
  if (outcome.result === 'caught') {
    return `by "${outcome.test}" (${outcome.testFile})`;
  }
  return 'detail' in outcome ? outcome.detail : promise;
}

/** The counts of each subject, as a table. */
export function countsTable(planted: readonly Planted[]): string {
  const subjects = [...new Set(planted.map(({ subject }) => subject))];
  const rows = [...subjects, 'all'].map((name) => {
    const own = planted.filter(({ subject }) => name === 'all' || subject === name);
    const caught = own.filter(({ outcome }) => outcome.result === 'caught').length;
    return [name, String(own.length), String(caught), String(own.length - caught)] as const;
  });
  return table([['subject', 'planted', 'caught', 'not caught'], ...rows]);
}

/** Every defect with its result and the test that caught it, as a table. */
export function defectsTable(planted: readonly Planted[]): string {
  const rows = planted.map(({ defect, outcome }) => [
    defect.name,
    resultOf(outcome),
    outcome.result === 'caught' ? `${outcome.testFile}: ${outcome.test}` : explain(defect, outcome),
  ]);
  return table([['defect', 'result', 'caught by'], ...rows]);
}

/** All defects with their promises and tests, without running anything. */
export function listOf(subjects: readonly Subject[]): string {
  const lines = subjects.flatMap(({ subject, defects }) => [
    `${subject}\n`,
    ...defects.map(
      ({ name, promise, file, tests }) => `  ${name}\n    ${promise}\n    ${file}; ${tests.join(' ')}\n`,
    ),
  ]);
  return lines.join('');
}

/** The results as data, for other programs. */
export function jsonOf(planted: readonly Planted[], seconds: number): string {
  const defects = planted.map(({ subject, defect, outcome, seconds: took }) => {
    const { name, promise, file, tests } = defect;
    return { subject, name, promise, file, tests, ...outcome, seconds: took };
  });
  return `${JSON.stringify({ seconds, defects }, undefined, 2)}\n`;
}

function table(rows: readonly (readonly string[])[]): string {
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  const lineOfRow = (row: readonly string[]) =>
    row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join('  ');
  return rows.map((row) => `${lineOfRow(row).trimEnd()}\n`).join('');
}
