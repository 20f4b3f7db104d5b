import { randomUUID } from 'node:crypto';
import { Worker } from 'node:worker_threads';
import { type InvokeResult, maxResponseBytes, tooLargeResponse } from './invoke.ts';
import { exitedDuring, timedOut } from './runtime-errors.ts';
import { type SupervisedWorker, supervise } from './supervised-worker.ts';
import type { InvokeMessage, WorkerError, WorkerSettings } from './worker-program.ts';

export interface EnvironmentOptions {
  /** Path of the worker's program, see {@link writeWorkerProgram}. */
  readonly workerProgram: string;
  readonly settings: Omit<WorkerSettings, 'ahead'>;
  /**
   * Milliseconds by which the function's clock is ahead; undefined if its clock cannot move. See
   * shared/clock.ts.
   */
  readonly ahead?: Float64Array | undefined;
  /** All variables in the function's `process.env`. */
  readonly variables: Readonly<Record<string, string>>;
  /** Maximum milliseconds of one invocation. */
  readonly timeoutMilliseconds: number;
  /** Called with each line that the function writes. */
  readonly onLine: (line: string) => void;
  readonly now: () => number;
}

/** An environment that loads a function once, then runs one invocation at a time. */
export interface ExecutionEnvironment {
  /** Resolves when the bundle is loaded, or with the error that prevented it. */
  readonly loaded: Promise<WorkerError | undefined>;
  /** Resolves when the environment has ended, for any reason. Later invocations fail. */
  readonly ended: Promise<void>;
  readonly isAlive: () => boolean;
  readonly invoke: (payload: unknown) => Promise<InvokeResult>;
  readonly close: () => Promise<void>;
}

/**
 * Memory for a worker's young objects. With V8's default, up to 48 MB for each worker, a few idle functions
 * would use more memory than everything else in the process.
 */
const youngGenerationMegabytes = 8;

/** Maximum time to load a bundle. Lambda allows 10 s, but a laptop may be busier. */
const loadTimeoutMilliseconds = 30_000;

/** Starts a worker. The worker receives only the options, and no other data of this process. */
export function startExecutionEnvironment(options: EnvironmentOptions): ExecutionEnvironment {
  const { workerProgram, settings, ahead, variables } = options;
  const worker = new Worker(workerProgram, {
    workerData: { ...settings, ahead } satisfies WorkerSettings,
    env: { ...variables },
    execArgv: [],
    argv: [],
    stdin: false,
    stdout: true,
    stderr: true,
    resourceLimits: {
      maxOldGenerationSizeMb: settings.memoryMegabytes,
      maxYoungGenerationSizeMb: youngGenerationMegabytes,
    },
  });
  const supervised = supervise(worker, options.onLine, options.now);
  let closing = false;
  return {
    loaded: load(supervised),
    ended: supervised.ended,
    isAlive: () => supervised.failure() === undefined,
    invoke: (payload) => invoke(payload, supervised, options, () => closing),
    close: async () => {
      closing = true;
      await worker.terminate();
    },
  };
}

async function load({ worker, fail, nextReport }: SupervisedWorker): Promise<WorkerError | undefined> {
  const tooLong = { errorType: 'Sandbox.Timedout', errorMessage: 'The bundle took too long to load' };
  const timer = setTimeout(fail, loadTimeoutMilliseconds, tooLong);
  const report = await nextReport();
  clearTimeout(timer);
  if (report.kind === 'ready') {
    return undefined;
  }
  void worker.terminate();
  return 'error' in report ? report.error : exitedDuring(randomUUID(), 'code' in report ? report.code : 0);
}

async function invoke(
  payload: unknown,
  { worker, failure, fail, nextReport }: SupervisedWorker,
  { timeoutMilliseconds, now }: EnvironmentOptions,
  isClosing: () => boolean,
): Promise<InvokeResult> {
  const error = failure();
  if (error !== undefined) {
    return { ok: false, error };
  }
  const requestId = randomUUID();
  const timer = setTimeout(fail, timeoutMilliseconds, timedOut(requestId, timeoutMilliseconds));
  const response = nextReport();
  worker.postMessage({
    requestId,
    payload: JSON.stringify(payload) ?? 'null',
    deadline: now() + timeoutMilliseconds,
  } satisfies InvokeMessage);
  const report = await response;
  clearTimeout(timer);
  switch (report.kind) {
    case 'result':
      return Buffer.byteLength(report.payload) > maxResponseBytes
        ? tooLargeResponse
        : { ok: true, payload: JSON.parse(report.payload) };
    case 'ready':
      throw new Error('A worker reported twice that it was ready');
    case 'exited': {
      const exited = exitedDuring(requestId, report.code);
      // The log omits an environment that the emulator closed, because its function did not fail.
      if (!isClosing()) {
        fail(exited);
      }
      return { ok: false, error: exited };
    }
    case 'failed-to-start':
    case 'error':
      return { ok: false, error: report.error };
  }
}
