import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { RunFile } from '../../tools/local/local-deployment.ts';

const projectRoot = fileURLToPath(new URL('../../', import.meta.url));

/** Maximum duration of a start, including synthesis, on a busy machine. */
const startTimeoutMilliseconds = 120_000;

/**
 * The same flags as `npm start`. A small young generation soon collects streamed data: with V8's default, a 5
 * GiB upload would grow the process by tens of megabytes. The collector uses one thread: several threads take
 * more processor time, which the functions need.
 */
const localRunFlags = ['--max-semi-space-size=8', '--single-threaded-gc', '--import', 'tsx'];

interface LocalRunOptions {
  /** CDK context of the stack, e.g. `{ tokenLifetimeSeconds: '300' }`. */
  readonly context?: Readonly<Record<string, string>>;
  /** Default true: most tests do not use the demonstration. */
  readonly noDemo?: boolean;
  /** Default 0: the system chooses. */
  readonly port?: number;
  readonly awsPort?: number;
  /** Default: a new temporary folder, which {@link LocalRun.stop} removes. */
  readonly stateDirectory?: string;
  /** Environment variables for the process, in addition to those of this process. */
  readonly environment?: Readonly<Record<string, string>>;
}

type WithState = LocalRunOptions & { readonly stateDirectory: string };

/** A running `tools/local/start.ts`. */
export interface LocalRun {
  /** Address of the API, e.g. `http://127.0.0.1:3000`. */
  readonly baseUrl: string;
  /** Address of the AWS endpoints: `AWS_ENDPOINT_URL`. */
  readonly awsEndpoint: string;
  /** Folder with `run.json`, logs and data, for `--state` of the admin command. */
  readonly stateDirectory: string;
  /** Output so far. */
  readonly stdout: () => string;
  readonly stderr: () => string;
  /** Ends it as Ctrl-C does, and resolves with the exit code. Removes its temporary state folder. */
  readonly stop: () => Promise<number | null>;
  /** Ends it with SIGKILL, as a power cut would. The state stays, for {@link restart} or {@link stop}. */
  readonly kill: () => Promise<unknown>;
  /** Starts it again on the same ports and state, after {@link kill}. */
  readonly restart: (environment?: LocalRunOptions['environment']) => Promise<LocalRun>;
}

/**
 * Starts the local run on free ports with its own state folder, and resolves when it is ready.
 *
 * @throws {Error} with all its output, if it ends or takes too long before it is ready
 */
export async function startLocalRun(options: LocalRunOptions = {}): Promise<LocalRun> {
  const stateDirectory = options.stateDirectory ?? (await mkdtemp(join(tmpdir(), 'file-sync-run-')));
  const removeState = async () => {
    if (options.stateDirectory === undefined) {
      await rm(stateDirectory, { recursive: true, force: true });
    }
  };
  try {
    return await serve({ ...options, stateDirectory }, removeState);
  } catch (error) {
    await removeState();
    throw error;
  }
}

async function serve(options: WithState, removeState: () => Promise<void>): Promise<LocalRun> {
  const { child, exited, stdout, stderr } = launch(options);
  await untilReady(child, exited, stdout).catch(async (error: Error) => {
    child.kill('SIGKILL');
    await exited;
    throw new Error(`${error.message}\n--- stdout\n${stdout()}\n--- stderr\n${stderr()}`);
  });
  const { awsEndpoint, outputs } = JSON.parse(
    await readFile(join(options.stateDirectory, 'run.json'), 'utf8'),
  ) as RunFile;
  const baseUrl = outputs.BaseUrl ?? '';
  const portOf = (url: string) => Number(new URL(url).port);
  return {
    baseUrl,
    awsEndpoint,
    stateDirectory: options.stateDirectory,
    stdout,
    stderr,
    stop: async () => {
      child.kill('SIGINT');
      const code = await exited;
      await removeState();
      return code;
    },
    kill: () => {
      child.kill('SIGKILL');
      return exited;
    },
    restart: (environment) =>
      serve(
        {
          ...options,
          port: portOf(baseUrl),
          awsPort: portOf(awsEndpoint),
          environment: { ...options.environment, ...environment },
        },
        removeState,
      ),
  };
}

function launch(options: WithState) {
  const parameters = [...localRunFlags, 'tools/local/start.ts', ...localRunParameters(options)];
  const child = spawn(process.execPath, parameters, {
    cwd: projectRoot,
    env: { ...process.env, ...options.environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  // An interrupted test run must not leave servers running.
  const end = () => child.kill('SIGKILL');
  process.once('exit', end);
  const exited = once(child, 'exit').then(([code]) => {
    process.removeListener('exit', end);
    return code as number | null;
  });
  return { child, exited, stdout: collect(child.stdout), stderr: collect(child.stderr) };
}

/** Returns the parameters of `tools/local/start.ts` for such a run. */
function localRunParameters(options: WithState): string[] {
  const { port = 0, awsPort = 0, noDemo = true, context = {} } = options;
  const settings = Object.entries(context).flatMap(([key, value]) => ['--context', `${key}=${value}`]);
  const fixed = [
    ...['--state', options.stateDirectory],
    ...(noDemo ? ['--no-demo'] : []),
    // The request rate of tests is not limited.
    '--no-throttle',
  ];
  return [...fixed, '--port', String(port), '--aws-port', String(awsPort), ...settings];
}

function collect(stream: NodeJS.ReadableStream): () => string {
  let text = '';
  stream.setEncoding('utf8');
  stream.on('data', (chunk: string) => {
    text += chunk;
  });
  return () => text;
}

function untilReady(child: ChildProcess, exited: Promise<unknown>, stdout: () => string): Promise<void> {
  return new Promise((resolve, reject) => {
    const fail = (reason: string) => reject(new Error(`The local run ${reason}`));
    const timer = setTimeout(() => fail('was not ready in time'), startTimeoutMilliseconds);
    child.stdout?.on('data', () => {
      if (/^ready /m.test(stdout())) {
        clearTimeout(timer);
        resolve();
      }
    });
    void exited.then((code) => fail(`ended with ${code}`));
  });
}
