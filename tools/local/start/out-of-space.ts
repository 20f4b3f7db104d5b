import { tmpdir } from 'node:os';
import { diskReason, StartProblem } from 'cloud-assembly-emulator';

/**
 * Says what to do when a start failed on a full disk. The error is then a stack trace of whatever needed the space: the
 * synthesis, the bundler, a function.
 *
 * @param wasFull whether a write of the state failed for want of space. The error may be one of its consequences
 * @returns any other error as it is
 */
export function explainFullDisk(error: unknown, stateDirectory: string, wasFull: boolean): unknown {
  const reason = diskReason(error) ?? (wasFull ? 'no space is left on the disk' : undefined);
  if (reason === undefined) {
    return error;
  }
  const problem = new StartProblem(
    `The local run could not start: ${reason}. It writes to ${stateDirectory} and, for a moment, to ${tmpdir()}. ` +
      'Free some space there and start again, or choose a folder on another disk with --state.',
  );
  // This is shown when DEBUG is set.
  return error instanceof Error ? Object.assign(problem, { stack: error.stack }) : problem;
}
