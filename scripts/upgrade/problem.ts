/** The check could not be made. The message says what happened, why, and what to do. Exit code 2. */
export class CheckProblem extends Error {
  override readonly name = 'CheckProblem';
}
