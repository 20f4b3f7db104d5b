import { randomUUID } from 'node:crypto';
import { Worker } from 'node:worker_threads';
import type { InvokeResult } from './invoke.ts';
import { createLineSplitter } from './lines.ts';
import type {
  AnswerMessage,
  InvokeMessage,
  WorkerError,
  WorkerMessage,
  WorkerSettings,
} from './worker-program.ts';

export interface EnvironmentOptions {
  /** Program of the worker, see {@link writeWorkerProgram}. */
  readonly workerProgram: string;
  readonly settings: Omit<WorkerSettings, 'ahead'>;
  /** How many milliseconds the function's time is ahead, if that can change. See shared/clock.ts. */
  readonly ahead?: Float64Array | undefined;
  /** Everything that the function finds in `process.env`. */
  readonly variables: Readonly<Record<string, string>>;
  /** Milliseconds for one invocation. */
  readonly timeoutMilliseconds: number;
  /** Takes each line that the function writes. */
  readonly onLine: (line: string) => void;
  readonly now: () => number;
}

/** Where a function runs: loaded once, then one invocation at a time. */
export interface ExecutionEnvironment {
  /** Resolves when the bundle is loaded, or with the error that kept it from loading. */
  readonly loaded: Promise<WorkerError | undefined>;
  /** Resolves when the environment has ended, for any reason. Nothing can be invoked then. */
  readonly ended: Promise<void>;
  readonly isAlive: () => boolean;
  readonly invoke: (payload: unknown) => Promise<InvokeResult>;
  readonly close: () => Promise<void>;
}

/**
 * Memory for a worker's young objects. With V8's default, up to 48 MB for each worker, a few idle functions would need
 * more than everything else in the process.
 */
const youngGenerationMegabytes = 8;

/** Longest time for loading a bundle. Lambda allows 10 s, but a laptop may be busier. */
const loadTimeoutMilliseconds = 30_000;

/** Starts a worker. Of this process it gets only what is in the options. */
export function startExecutionEnvironment(options: EnvironmentOptions): ExecutionEnvironment {
  const worker = new Worker(options.workerProgram, {
    workerData: {
      ...options.settings,
      ...(options.ahead === undefined ? {} : { ahead: options.ahead }),
    } satisfies WorkerSettings,
    env: { ...options.variables },
    execArgv: [],
    argv: [],
    stdin: false,
    stdout: true,
    stderr: true,
    resourceLimits: {
      maxOldGenerationSizeMb: options.settings.memoryMegabytes,
      maxYoungGenerationSizeMb: youngGenerationMegabytes,
    },
  });
  return superviseWorker(worker, options);
}

function superviseWorker(worker: Worker, options: EnvironmentOptions): ExecutionEnvironment {
  let alive = true;
  let failure: WorkerError = { errorType: 'Runtime.ExitError', errorMessage: 'Runtime exited' };
  let receive: (message: AnswerMessage) => void = () => undefined;
  let busy = false;
  let requestId = '';
  const next = () =>
    new Promise<AnswerMessage>((resolve) => {
      receive = resolve;
    });
  const fail = (error: WorkerError) => {
    failure = error;
    options.onLine(errorLine(error, options.now()));
    receive({ kind: 'error', error });
  };
  const end = (error: WorkerError) => {
    fail(error);
    return worker.terminate();
  };

  const firstMessage = next();
  const output = { stdout: createLineSplitter(options.onLine), stderr: createLineSplitter(options.onLine) };
  worker.on('message', (message: WorkerMessage) => {
    if (message.kind === 'output') {
      output[message.stream].add(message.text);
    } else {
      receive(message);
    }
  });
  worker.on('error', (error) => {
    alive = false;
    void end({ errorType: nameOf(error), errorMessage: messageOf(error) });
  });
  const ended = new Promise<void>((resolve) =>
    worker.once('exit', (code) => {
      output.stdout.end();
      output.stderr.end();
      const unexpected = alive && busy;
      alive = false;
      const errorMessage = exitText(requestId, code);
      if (unexpected) {
        fail({ errorType: 'Runtime.ExitError', errorMessage });
      } else {
        receive({ kind: 'error', error: failure });
      }
      resolve();
    }),
  );
  const loadTimer = setTimeout(
    () => void end({ errorType: 'Sandbox.Timedout', errorMessage: 'The bundle took too long to load' }),
    loadTimeoutMilliseconds,
  );
  const loaded = firstMessage.then((message) => {
    clearTimeout(loadTimer);
    if (message.kind === 'ready') {
      return undefined;
    }
    void worker.terminate();
    return 'error' in message ? message.error : failure;
  });

  return {
    loaded,
    ended,
    isAlive: () => alive,
    invoke: async (payload) => {
      if (!alive) {
        return { ok: false, error: failure };
      }
      requestId = randomUUID();
      const answer = next();
      busy = true;
      const { timeoutMilliseconds } = options;
      const timer = setTimeout(() => {
        alive = false;
        void end(timedOut(requestId, timeoutMilliseconds));
      }, timeoutMilliseconds);
      const message: InvokeMessage = {
        requestId,
        payload: JSON.stringify(payload) ?? 'null',
        deadline: options.now() + timeoutMilliseconds,
      };
      worker.postMessage(message);
      const result = await answer;
      clearTimeout(timer);
      busy = false;
      return toInvokeResult(result);
    },
    close: async () => {
      await worker.terminate();
    },
  };
}

function toInvokeResult(message: AnswerMessage): InvokeResult {
  if (message.kind === 'result') {
    return { ok: true, payload: JSON.parse(message.payload) };
  }
  if (message.kind === 'ready') {
    throw new Error('A worker reported twice that it was ready');
  }
  return { ok: false, error: message.error };
}

/** What Lambda says when the process of a function ends during an invocation. */
function exitText(requestId: string, code: number): string {
  const how = code === 0 ? 'without providing a reason' : `with error: exit status ${code}`;
  return `RequestId: ${requestId} Error: Runtime exited ${how}`;
}

/** The error in the words of Lambda. */
function timedOut(requestId: string, milliseconds: number): WorkerError {
  const seconds = (milliseconds / 1000).toFixed(2);
  const errorMessage = `RequestId: ${requestId} Error: Task timed out after ${seconds} seconds`;
  return { errorType: 'Sandbox.Timedout', errorMessage };
}

/** A log line in the JSON format of Lambda's own lines, so that it is found like them. */
function errorLine(message: WorkerError, now: number): string {
  return JSON.stringify({ timestamp: new Date(now).toISOString(), level: 'ERROR', message });
}

function nameOf(error: unknown): string {
  return error instanceof Error ? error.name : 'Error';
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
