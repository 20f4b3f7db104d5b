/** What became of one mutant. `Ignored` is one that a comment in the code disables. */
export type MutantStatus =
  | 'Killed'
  | 'Timeout'
  | 'Survived'
  | 'NoCoverage'
  | 'Ignored'
  | 'RuntimeError'
  | 'CompileError'
  | 'Pending';

/** A mutant and its outcome: the parts of Stryker's result that count. */
export interface TestedMutant {
  /** From the project's root, with slashes. */
  readonly fileName: string;
  /** Counted from 1. */
  readonly location: { readonly start: { readonly line: number; readonly column: number } };
  readonly mutatorName: string;
  /** The text that stands in place of the original. */
  readonly replacement: string;
  readonly status: MutantStatus;
  /** For a disabled mutant: the reason, as the comment in the code says it. */
  readonly statusReason?: string | undefined;
}

/** The outcome of one folder. */
export interface FolderScore {
  readonly folder: string;
  readonly killed: number;
  readonly timedOut: number;
  readonly survived: readonly TestedMutant[];
  readonly notCovered: readonly TestedMutant[];
  readonly disabled: readonly TestedMutant[];
  /** Those that could not be judged. A run that has one proves nothing, so it fails. */
  readonly broken: readonly TestedMutant[];
  /** Detected mutants of those that a test reaches, in percent. 0 when there is none. */
  readonly score: number;
  readonly floor: number;
  /** Why the folder fails; empty when it passes. */
  readonly problems: readonly string[];
}

/** Compares the mutants of each folder with its floor. */
export function evaluate(
  mutants: readonly TestedMutant[],
  floors: Readonly<Record<string, number>>,
): readonly FolderScore[] {
  return Object.entries(floors).map(([folder, floor]) =>
    evaluateFolder(
      folder,
      mutants.filter(({ fileName }) => fileName.startsWith(`${folder}/`)),
      floor,
    ),
  );
}

function evaluateFolder(folder: string, mutants: readonly TestedMutant[], floor: number): FolderScore {
  const having = (...statuses: readonly MutantStatus[]) =>
    mutants.filter(({ status }) => statuses.includes(status));
  const killed = having('Killed').length;
  const timedOut = having('Timeout').length;
  const survived = having('Survived');
  const notCovered = having('NoCoverage');
  const broken = having('RuntimeError', 'CompileError', 'Pending');
  const covered = killed + timedOut + survived.length;
  const score = covered === 0 ? 0 : (100 * (killed + timedOut)) / covered;
  const problems = [
    ...(mutants.length === 0 ? ['it has no mutant'] : []),
    // An untested folder says so below; a score of nothing says no more.
    ...(covered > 0 && score < floor ? [`its score is below ${floor} %`] : []),
    ...(notCovered.length > 0 ? [`no test reaches ${count(notCovered)}`] : []),
    ...(broken.length > 0 ? [`${count(broken)} could not be judged`] : []),
  ];
  const disabled = having('Ignored');
  return { folder, killed, timedOut, survived, notCovered, disabled, broken, score, floor, problems };
}

function count(mutants: readonly TestedMutant[]): string {
  return mutants.length === 1 ? '1 mutant' : `${mutants.length} mutants`;
}
