import type { TextStream } from '../../terminal/output.ts';

/** How the local run talks to the person, or script, that started it. */
export interface Terminal {
  readonly say: (line: string) => void;
  /** Says what is done, and how long it took. */
  readonly step: <T>(label: string, act: () => Promise<T>) => Promise<T>;
  /** A failure while it serves, from the logs: one line on standard error. */
  readonly warn: (line: string) => void;
}

/** Writes lines for people to `stdout`, and failures to `stderr`. */
export function createTerminal(stdout: TextStream, stderr: TextStream, now: () => number): Terminal {
  const say = (line: string) => void stdout.write(`${line}\n`);
  return {
    say,
    step: async (label, act) => {
      const startedAt = now();
      if (stdout.isTTY) {
        stdout.write(`${label} ...`);
      }
      try {
        const result = await act();
        const took = `${((now() - startedAt) / 1000).toFixed(1)} s`;
        say(stdout.isTTY ? ` ${took}` : `${label}: ${took}`);
        return result;
      } catch (error) {
        if (stdout.isTTY) {
          say('');
        }
        throw error;
      }
    },
    warn: (line) => void stderr.write(`${line}\n`),
  };
}
