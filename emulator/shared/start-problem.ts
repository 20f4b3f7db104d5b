/** Why the local run cannot start, in words that say what to do. Shown as it is, without a stack trace. */
export class StartProblem extends Error {
  override readonly name = 'StartProblem';
}
