import type { TextStream } from '../../terminal/output.ts';

/** Output of the local run for the person, or script, that started it. */
export interface Terminal {
  readonly say: (line: string) => void;
  /** Reports a failure of the running stack, from the logs: one line on standard error. */
  readonly warn: (line: string) => void;
}

/** Writes lines for people to `stdout`, and failures to `stderr`. */
export function createTerminal(stdout: TextStream, stderr: TextStream): Terminal {
  return {
    say: (line) => void stdout.write(`${line}\n`),
    warn: (line) => void stderr.write(`${line}\n`),
  };
}
