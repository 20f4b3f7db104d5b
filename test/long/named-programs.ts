import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';

/** A program of the project that is run by a name. */
export interface NamedProgram {
  /** From the project's root. The comment at the top of the file lists the program's options. */
  readonly file: string;
  /** What it does, in one line. */
  readonly description: string;
}

export interface NamedPrograms {
  /** How the user runs them: `npm run test:long`. */
  readonly command: string;
  readonly programs: Readonly<Record<string, NamedProgram>>;
}

/** Runs one program with its options, and resolves with its exit code. */
export type RunProgram = (file: string, parameters: readonly string[]) => Promise<number>;

/** Where usage and progress go. */
export interface Output {
  readonly stdout: (text: string) => void;
  readonly stderr: (text: string) => void;
}

const usageExitCode = 2;

/**
 * Runs the program that the first parameter names with the parameters that follow it, or every program in turn for
 * `all`.
 *
 * @returns the program's exit code; with `all`, 1 when one failed; 2 when the parameters are not valid
 */
export async function runNamed(
  named: NamedPrograms,
  [name, ...options]: readonly string[],
  output: Output,
  run: RunProgram = runTypeScript,
): Promise<number> {
  if (name === undefined || name === '--help') {
    (name === undefined ? output.stderr : output.stdout)(usage(named));
    return name === undefined ? usageExitCode : 0;
  }
  if (name === 'all') {
    return runAll(named, options, output, run);
  }
  const program = Object.hasOwn(named.programs, name) ? named.programs[name] : undefined;
  if (program !== undefined) {
    return run(program.file, options);
  }
  const names = [...Object.keys(named.programs), 'all'].join(', ');
  output.stderr(`error: unknown name '${name}'. The names are: ${names}\n`);
  return usageExitCode;
}

async function runAll(
  { programs }: NamedPrograms,
  options: readonly string[],
  output: Output,
  run: RunProgram,
): Promise<number> {
  if (options.length > 0) {
    output.stderr(`error: 'all' takes no options, but was given: ${options.join(' ')}\n`);
    return usageExitCode;
  }
  const failed: string[] = [];
  for (const [name, { file }] of Object.entries(programs)) {
    output.stdout(`== ${name}\n`);
    const exitCode = await run(file, []);
    if (exitCode !== 0) {
      failed.push(name);
    }
  }
  output.stdout(failed.length === 0 ? 'all passed\n' : `failed: ${failed.join(', ')}\n`);
  return failed.length === 0 ? 0 : 1;
}

function usage({ command, programs }: NamedPrograms): string {
  const entries = Object.entries(programs);
  const width = Math.max(...entries.map(([name]) => name.length));
  const lines = entries.map(([name, { description }]) => `  ${name.padEnd(width)}  ${description}\n`);
  return [
    `Usage: ${command} -- NAME [options]\n\n`,
    ...lines,
    `  ${'all'.padEnd(width)}  run each of these in turn, without options\n\n`,
    'The comment at the top of each file lists its options:\n\n',
    ...entries.map(([name, { file }]) => `  ${name.padEnd(width)}  ${file}\n`),
  ].join('');
}

/** Runs a TypeScript file of the project in a process of its own, which takes over this terminal. */
async function runTypeScript(file: string, parameters: readonly string[]): Promise<number> {
  const child = spawn(process.execPath, ['--import', 'tsx', file, ...parameters], {
    cwd: fileURLToPath(new URL('../../', import.meta.url)),
    stdio: 'inherit',
  });
  const stopForwarding = forwardSignals((signal) => child.kill(signal));
  try {
    return await new Promise((resolve, reject) => {
      child.once('error', reject);
      child.once('close', (code) => resolve(code ?? 1));
    });
  } finally {
    stopForwarding();
  }
}

/** Sends the signals that end this process on instead, so that the program ends first and cleans up. */
function forwardSignals(send: (signal: NodeJS.Signals) => void): () => void {
  const signals = ['SIGINT', 'SIGTERM'] as const;
  for (const signal of signals) {
    process.on(signal, send);
  }
  return () => {
    for (const signal of signals) {
      process.off(signal, send);
    }
  };
}
