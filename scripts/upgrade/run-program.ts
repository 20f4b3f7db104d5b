import { spawn } from 'node:child_process';

export interface ProgramOptions {
  readonly cwd: string;
  readonly env?: Readonly<Record<string, string>>;
  /** Ends the program. */
  readonly signal: AbortSignal;
  /** Ends the program after so many milliseconds. */
  readonly timeoutMilliseconds?: number;
}

export interface Outcome {
  /** Null when a signal ended it. */
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/**
 * Runs a program to its end.
 *
 * @throws {Error} with the code ENOENT when there is no such program
 */
export async function runProgram(
  command: string,
  parameters: readonly string[],
  { cwd, env = {}, signal, timeoutMilliseconds }: ProgramOptions,
): Promise<Outcome> {
  signal.throwIfAborted();
  const child = spawn(command, parameters, {
    cwd,
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
    ...(timeoutMilliseconds !== undefined && { timeout: timeoutMilliseconds }),
  });
  const stop = () => child.kill();
  signal.addEventListener('abort', stop);
  const output = { stdout: '', stderr: '' };
  for (const name of ['stdout', 'stderr'] as const) {
    child[name].setEncoding('utf8').on('data', (text: string) => {
      output[name] += text;
    });
  }
  try {
    const code = await new Promise<number | null>((resolve, reject) => {
      child.once('error', reject);
      child.once('close', resolve);
    });
    signal.throwIfAborted();
    return { code, ...output };
  } finally {
    signal.removeEventListener('abort', stop);
  }
}

/** The end of what a program wrote, for a message. */
export function lastLines({ stdout, stderr }: Outcome, count = 12): string {
  const lines = `${stdout}\n${stderr}`.split('\n').filter((line) => line.trim() !== '');
  return lines.slice(-count).join('\n');
}
