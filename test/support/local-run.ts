import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { commandFromSource, commandOf } from './programs.ts';

const projectRoot = fileURLToPath(new URL('../../', import.meta.url));

/** Longest that a start may take: synthesis included, on a busy machine. */
const startTimeoutMilliseconds = 120_000;

export interface LocalRunOptions {
  /** CDK context of the stack, e.g. `{ tokenLifetimeSeconds: '60' }`. */
  readonly context?: Readonly<Record<string, string>>;
  /** Default true: tests rarely want the demonstration. */
  readonly noDemo?: boolean;
  /** Default false: tests send as many requests as they like. */
  readonly throttled?: boolean;
  /** Default 0: the system chooses. */
  readonly port?: number;
  readonly awsPort?: number;
  /** Default: a new temporary folder, which {@link LocalRun.stop} removes. */
  readonly stateDirectory?: string;
  /** Default: this project. Another one is started from its sources. */
  readonly root?: string;
  /** Default false: the same program as one file, which starts sooner. */
  readonly fromSource?: boolean;
  /** Further flags, as on the command line. */
  readonly flags?: readonly string[];
  /** Environment variables for the process, in addition to those of this process. */
  readonly environment?: Readonly<Record<string, string>>;
}

/**
 * As `npm start` has it. A small young generation soon collects what streams through: V8's default lets a 5 GiB upload
 * grow the process by tens of megabytes. One thread collects it: with several, a collection takes more processor time,
 * which the functions need.
 */
const localRunFlags = ['--max-semi-space-size=8', '--single-threaded-gc'];

const localRunProgram = 'tools/local/start.ts';

/** A running `tools/local/start.ts`. */
export interface LocalRun {
  readonly pid: number;
  /** Address of the API, e.g. `http://127.0.0.1:3000`. */
  readonly baseUrl: string;
  /** Address of the AWS endpoints: `AWS_ENDPOINT_URL`. */
  readonly awsEndpoint: string;
  /** Folder with `run.json`, logs and data: what `--state` of the admin command takes. */
  readonly stateDirectory: string;
  /** What it printed so far. */
  readonly stdout: () => string;
  readonly stderr: () => string;
  /** Resolves when standard output matches. Rejects when the process ends before it does. */
  readonly waitForOutput: (pattern: RegExp) => Promise<void>;
  /** Ends it as Ctrl-C does and resolves with the exit code. Removes a state folder that was made for it. */
  readonly stop: () => Promise<number | null>;
  /** Ends it with SIGKILL, as a power cut would. The state stays, for {@link restart} or {@link stop}. */
  readonly kill: () => Promise<void>;
  /** Starts it again on the same ports and state, after {@link kill}. */
  readonly restart: (options?: Pick<LocalRunOptions, 'context' | 'flags'>) => Promise<LocalRun>;
}

/** A process that has ended, or that never came to serve. */
export interface FinishedRun {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

interface RunFile {
  readonly baseUrl: string;
  readonly awsEndpoint: string;
}

/**
 * Starts the local run on free ports with a state folder of its own, and resolves when it serves.
 *
 * @throws {Error} with everything that it printed, when it ends or takes too long before it serves
 */
export async function startLocalRun(options: LocalRunOptions = {}): Promise<LocalRun> {
  const stateDirectory = options.stateDirectory ?? (await mkdtemp(join(tmpdir(), 'file-sync-run-')));
  const removeState = options.stateDirectory === undefined;
  const run = await launch({ ...options, stateDirectory });
  try {
    await run.waitForOutput(/^ready /m);
    const file = JSON.parse(await readFile(join(stateDirectory, 'run.json'), 'utf8')) as RunFile;
    return describe(run, file, { ...options, stateDirectory }, removeState);
  } catch (error) {
    await run.signal('SIGKILL');
    if (removeState) {
      await rm(stateDirectory, { recursive: true, force: true });
    }
    throw error;
  }
}

/** Starts the local run with flags that make it end by itself, and resolves when it has ended. */
export async function runUntilExit(
  options: LocalRunOptions & { stateDirectory: string },
): Promise<FinishedRun> {
  const run = await launch(options);
  const timer = setTimeout(() => void run.signal('SIGKILL'), startTimeoutMilliseconds);
  const code = await run.exited;
  clearTimeout(timer);
  return { code, stdout: run.stdout(), stderr: run.stderr() };
}

function describe(
  run: Launched,
  file: RunFile,
  options: LocalRunOptions & { stateDirectory: string },
  removeState: boolean,
): LocalRun {
  const { stateDirectory } = options;
  return {
    pid: run.pid,
    baseUrl: file.baseUrl,
    awsEndpoint: file.awsEndpoint,
    stateDirectory,
    stdout: run.stdout,
    stderr: run.stderr,
    waitForOutput: run.waitForOutput,
    stop: async () => {
      const code = await run.signal('SIGINT');
      if (removeState) {
        await rm(stateDirectory, { recursive: true, force: true });
      }
      return code;
    },
    kill: async () => {
      await run.signal('SIGKILL');
    },
    restart: async (changes = {}) => {
      const again = { ...options, ...changes, ...portsOf(file) };
      const next = await startLocalRun(again);
      return removeState ? { ...next, stop: stopAndRemove(next, stateDirectory) } : next;
    },
  };
}

function stopAndRemove(run: LocalRun, stateDirectory: string): () => Promise<number | null> {
  return async () => {
    const code = await run.stop();
    await rm(stateDirectory, { recursive: true, force: true });
    return code;
  };
}

function portsOf(file: RunFile): { port: number; awsPort: number } {
  return { port: Number(new URL(file.baseUrl).port), awsPort: Number(new URL(file.awsEndpoint).port) };
}

interface Launched {
  readonly pid: number;
  readonly exited: Promise<number | null>;
  readonly stdout: () => string;
  readonly stderr: () => string;
  readonly waitForOutput: (pattern: RegExp) => Promise<void>;
  readonly signal: (signal: NodeJS.Signals) => Promise<number | null>;
}

async function launch(options: LocalRunOptions & { stateDirectory: string }): Promise<Launched> {
  const { root } = options;
  const fromSource = options.fromSource === true || root !== undefined;
  const program = fromSource ? commandFromSource(localRunProgram) : await commandOf(localRunProgram);
  const child = spawn(process.execPath, [...localRunFlags, ...program, ...localRunParameters(options)], {
    cwd: root ?? projectRoot,
    env: { ...process.env, ...options.environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const exited = new Promise<number | null>((resolve) => child.once('exit', (code) => resolve(code)));
  endWithThisProcess(child, exited);
  const stdout = collect(child.stdout);
  const stderr = collect(child.stderr);
  return {
    pid: child.pid ?? 0,
    exited,
    stdout,
    stderr,
    waitForOutput: (pattern) => waitForOutput(child, exited, pattern, stdout, stderr),
    signal: async (signal) => {
      child.kill(signal);
      return exited;
    },
  };
}

/** What `tools/local/start.ts` takes to make such a run. */
export function localRunParameters(options: LocalRunOptions & { stateDirectory: string }): string[] {
  const given = options.flags ?? [];
  const flags = ['--state', options.stateDirectory];
  for (const [flag, port = 0] of [
    ['--port', options.port],
    ['--aws-port', options.awsPort],
  ] as const) {
    flags.push(...(given.includes(flag) ? [] : [flag, String(port)]));
  }
  if (options.noDemo ?? true) {
    flags.push('--no-demo');
  }
  if (options.throttled !== true) {
    flags.push('--no-throttle');
  }
  for (const [key, value] of Object.entries(options.context ?? {})) {
    flags.push('--context', `${key}=${value}`);
  }
  return [...flags, ...given];
}

/** A test run that is interrupted must not leave servers behind. */
function endWithThisProcess(child: ChildProcess, exited: Promise<unknown>): void {
  const end = () => child.kill('SIGKILL');
  process.once('exit', end);
  void exited.then(() => process.removeListener('exit', end));
}

function collect(stream: NodeJS.ReadableStream): () => string {
  let text = '';
  stream.setEncoding('utf8');
  stream.on('data', (chunk: string) => {
    text += chunk;
  });
  return () => text;
}

function waitForOutput(
  child: ChildProcess,
  exited: Promise<number | null>,
  pattern: RegExp,
  stdout: () => string,
  stderr: () => string,
): Promise<void> {
  const transcript = () => `\n--- stdout\n${stdout()}\n--- stderr\n${stderr()}`;
  return new Promise((resolve, reject) => {
    const timer = setTimeout(
      () => settle(() => reject(new Error(`${pattern} was not printed in time${transcript()}`))),
      startTimeoutMilliseconds,
    );
    const check = () => {
      if (pattern.test(stdout())) {
        settle(resolve);
      }
    };
    const settle = (act: () => void) => {
      clearTimeout(timer);
      child.stdout?.off('data', check);
      act();
    };
    child.stdout?.on('data', check);
    void exited.then((code) =>
      settle(() => reject(new Error(`The local run ended with ${code}${transcript()}`))),
    );
    check();
  });
}
