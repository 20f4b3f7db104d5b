import type { Writable } from 'node:stream';
import { failedExitCode, reasonOf, systemCode } from './errors.ts';
import type { TextStream } from './output.ts';

/**
 * Ends the process when standard output takes no more. A reader that has seen enough (`| head`) closes the pipe, and
 * that is no failure of the command; a full disk is one.
 */
export function endOnClosedOutput(stdout: Writable, stderr: TextStream): void {
  stdout.on('error', (error) => {
    if (systemCode(error) === 'EPIPE') process.exit();
    stderr.write(`error: The result cannot be written: ${reasonOf(error)}.\n`);
    process.exit(failedExitCode);
  });
}
