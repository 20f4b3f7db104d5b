/** Numbers of the mutants of a room. */
export interface Counts {
  readonly mutants: number;
  /** Mutants that no test reaches. */
  readonly uncovered: number;
  /** Reached mutants that were tested. */
  readonly tested: number;
  /** Tested mutants for which a test failed. */
  readonly detected: number;
}

/**
 * Returns the percentage of all mutants that the tests detect. An uncovered mutant counts as not detected. If
 * the tested mutants are a sample, the score is an estimate with a standard error.
 */
export function scoreOf({ mutants, uncovered, tested, detected }: Counts) {
  const covered = mutants - uncovered;
  const share = detected / Math.max(tested, 1);
  const coverage = (100 * covered) / Math.max(mutants, 1);
  // Nearly all of a small room is in its sample, which leaves less to chance.
  const rest = 1 - tested / Math.max(covered, 1);
  return {
    score: mutants === 0 ? 100 : coverage * share,
    standardError: coverage * Math.sqrt((share * (1 - share) * rest) / Math.max(tested, 1)),
  };
}
