import type { FolderScore, TestedMutant } from './evaluate.ts';

const columns = [
  'folder',
  'mutants',
  'killed',
  'timed out',
  'survived',
  'not covered',
  'disabled',
  'score',
  'floor',
];

/** The scores as a table, then each mutant that is not detected, then each that is disabled, then what failed. */
export function renderReport(scores: readonly FolderScore[]): string {
  const parts = [
    renderTable(scores),
    renderMutants(
      'survived',
      scores.flatMap(({ survived }) => survived),
    ),
    renderMutants(
      'not covered',
      scores.flatMap(({ notCovered }) => notCovered),
    ),
    renderMutants(
      'not judged',
      scores.flatMap(({ broken }) => broken),
    ),
    renderMutants(
      'disabled',
      scores.flatMap(({ disabled }) => disabled),
    ),
    scores
      .map(({ folder, problems }) => problems.map((problem) => `${folder}: ${problem}\n`).join(''))
      .join(''),
  ];
  return parts.filter((part) => part !== '').join('\n');
}

function renderTable(scores: readonly FolderScore[]): string {
  const rows = [columns, ...scores.map(cellsOf)];
  const widths = columns.map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  const renderRow = (row: readonly string[]) =>
    row
      .map((cell, column) =>
        column === 0 ? cell.padEnd(widths[0] ?? 0) : cell.padStart(widths[column] ?? 0),
      )
      .join('  ');
  return `${rows.map(renderRow).join('\n')}\n`;
}

function cellsOf(score: FolderScore): readonly string[] {
  const { folder, killed, timedOut, survived, notCovered, disabled, broken, floor } = score;
  const mutants = killed + timedOut + survived.length + notCovered.length + disabled.length + broken.length;
  const counts = [mutants, killed, timedOut, survived.length, notCovered.length, disabled.length];
  // Rounded down, so that a score below the floor never reads like the floor.
  const shown = (Math.floor(score.score * 10) / 10).toFixed(1);
  return [folder, ...counts.map(String), `${shown} %`, `${floor} %`];
}

function renderMutants(heading: string, mutants: readonly TestedMutant[]): string {
  if (mutants.length === 0) {
    return '';
  }
  return `${heading}: ${mutants.length}\n${mutants.map((mutant) => `  ${renderMutant(mutant)}\n`).join('')}`;
}

/** The place in the form that editors and terminals open, then what stood there instead. */
function renderMutant({ fileName, location, mutatorName, replacement, statusReason }: TestedMutant): string {
  const { line, column } = location.start;
  const text = replacement.replaceAll(/\s+/g, ' ');
  const shown = text.length > 100 ? `${text.slice(0, 100)}…` : text;
  const reason = statusReason === undefined ? '' : ` (${statusReason})`;
  return `${fileName}:${line}:${column} ${mutatorName}: ${shown}${reason}`;
}
