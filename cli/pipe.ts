import type { Writable } from 'node:stream';
import { failedExitCode, reasonOf, systemCode } from './errors.ts';
import type { TextStream } from './output.ts';

/**
 * Ends the process when standard output takes no more. A reader that has seen enough (`| head`) closes the pipe, and
 * that is no failure of the command; a full disk is one. What must not stay behind is removed on `exit`.
 */
export function endOnClosedOutput(stdout: Writable, stderr: TextStream): void {
  stdout.on('error', (error) => {
    if (systemCode(error) === 'EPIPE') process.exit();
    stderr.write(`error: The result cannot be written: ${reasonOf(error)}.\n`);
    process.exit(failedExitCode);
  });
}

/**
 * Lets a command go on when standard error takes no more (`2>&1 | head`, `2>/dev/full`). It carries progress, notes and
 * the reason of a failure: the work and the exit code are worth more than any of these, and without a listener Node ends
 * the process at the first line that is lost.
 */
export function outliveClosedErrors(stderr: Writable): void {
  stderr.on('error', () => undefined);
}
