import { type ExecFileOptions, execFile } from 'node:child_process';

/** Result of a process. Without a code, a signal ended it. */
export interface Finished {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs a program until it ends. */
export function runProcess(
  program: string,
  parameters: readonly string[],
  options: ExecFileOptions = {},
): Promise<Finished> {
  return new Promise((resolve) => {
    const child = execFile(
      program,
      parameters,
      { maxBuffer: 64 * 1024 * 1024, ...options, encoding: 'utf8' },
      (_, stdout, stderr) => resolve({ code: child.exitCode, stdout, stderr }),
    );
  });
}
