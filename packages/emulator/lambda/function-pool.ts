import type { ExecutionEnvironment } from './execution-environment.ts';
import { createIdleEnvironments, type IdleEnvironments } from './idle-environments.ts';
import type { InvokeResult } from './invoke.ts';
import type { WorkerError } from './worker-program.ts';

export interface FunctionPoolOptions {
  readonly start: () => ExecutionEnvironment;
  /** Maximum concurrent execution environments. Further invocations wait. */
  readonly maxEnvironments: number;
  /** Milliseconds after which an idle environment ends. */
  readonly idleMilliseconds: number;
  /** Called after each invocation with true if it succeeded. */
  readonly onInvoked?: (ok: boolean) => void;
}

/** Runs one function in several environments if needed. Each environment handles one invocation at a time. */
interface FunctionPool {
  readonly invoke: (payload: unknown) => Promise<InvokeResult>;
  /** Ends idle environments. The next invocation starts another environment. */
  readonly endIdleEnvironments: () => Promise<void>;
  readonly close: () => Promise<void>;
}

interface Invocation {
  readonly payload: unknown;
  readonly settle: (result: InvokeResult) => void;
}

const shutdown: WorkerError = { errorType: 'Shutdown', errorMessage: 'The emulator is ending' };

/**
 * Environments start on demand, one after another. On a machine with few cores, the first environment serves a burst
 * sooner than many that load the same bundle at the same time.
 */
export function createFunctionPool(options: FunctionPoolOptions): FunctionPool {
  const pool: Pool = {
    ...options,
    waiting: [],
    environments: new Set(),
    idle: createIdleEnvironments(options.idleMilliseconds),
    starting: false,
    closed: false,
  };
  return {
    invoke: async (payload) => {
      if (pool.closed) {
        return { ok: false, error: shutdown };
      }
      return new Promise<InvokeResult>((settle) => {
        pool.waiting.push({ payload, settle });
        dispatch(pool);
      });
    },
    endIdleEnvironments: pool.idle.endAll,
    close: async () => {
      pool.closed = true;
      failWaiting(pool, shutdown);
      await Promise.all([...pool.environments].map((environment) => environment.close()));
    },
  };
}

interface Pool extends FunctionPoolOptions {
  readonly waiting: Invocation[];
  /** Environments that have not ended. */
  readonly environments: Set<ExecutionEnvironment>;
  readonly idle: IdleEnvironments;
  starting: boolean;
  closed: boolean;
}

/** Assigns waiting invocations to idle environments, and starts another environment if there are too few. */
function dispatch(pool: Pool): void {
  const { waiting, environments, idle, maxEnvironments } = pool;
  while (waiting.length > 0) {
    const environment = idle.take();
    const invocation = environment && waiting.shift();
    if (!environment || !invocation) {
      break;
    }
    void run(pool, environment, invocation);
  }
  const mayStart = !pool.starting && !pool.closed && environments.size < maxEnvironments;
  if (waiting.length > 0 && mayStart) {
    void startOne(pool);
  }
}

async function startOne(pool: Pool): Promise<void> {
  pool.starting = true;
  const environment = pool.start();
  pool.environments.add(environment);
  void environment.ended.then(() => forget(pool, environment));
  const error = await environment.loaded;
  pool.starting = false;
  if (error) {
    // If an environment does not start, each invocation that waited for it fails.
    failWaiting(pool, error, () => pool.onInvoked?.(false));
  } else {
    release(pool, environment);
  }
  dispatch(pool);
}

async function run(pool: Pool, environment: ExecutionEnvironment, invocation: Invocation): Promise<void> {
  const result = await environment.invoke(invocation.payload);
  // The end of the emulator is not an error of the function, so no metric counts it.
  if (!pool.closed) {
    pool.onInvoked?.(result.ok);
  }
  release(pool, environment);
  invocation.settle(result);
  dispatch(pool);
}

function release({ idle }: Pool, environment: ExecutionEnvironment): void {
  if (environment.isAlive()) {
    idle.add(environment);
  }
}

function forget(pool: Pool, environment: ExecutionEnvironment): void {
  pool.idle.remove(environment);
  pool.environments.delete(environment);
  dispatch(pool);
}

function failWaiting({ waiting }: Pool, error: WorkerError, onFailure?: () => void): void {
  for (const invocation of waiting.splice(0)) {
    onFailure?.();
    invocation.settle({ ok: false, error });
  }
}
