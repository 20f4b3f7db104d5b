import type { ExecutionEnvironment } from './execution-environment.ts';
import type { InvokeResult } from './invoke.ts';
import type { WorkerError } from './worker-program.ts';

export interface FunctionPoolOptions {
  readonly start: () => ExecutionEnvironment;
  /** Most execution environments at the same time. Further invocations wait. */
  readonly maximumEnvironments: number;
  /** Milliseconds after which an idle environment ends. */
  readonly idleMilliseconds: number;
  /** Hears whether an invocation ended well. */
  readonly onInvoked?: (ok: boolean) => void;
}

/** Runs one function: as many execution environments as are needed, each for one invocation at a time. */
export interface FunctionPool {
  readonly invoke: (payload: unknown) => Promise<InvokeResult>;
  /** Ends idle environments. The next invocation starts another one. */
  readonly endIdle: () => Promise<void>;
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
  const { onInvoked = () => undefined } = options;
  const waiting: Invocation[] = [];
  const idle = new Map<ExecutionEnvironment, NodeJS.Timeout>();
  const environments = new Set<ExecutionEnvironment>();
  let starting = false;
  let closed = false;

  const dispatch = () => {
    while (waiting.length > 0) {
      const environment = takeIdle(idle);
      if (!environment) {
        break;
      }
      const invocation = waiting.shift();
      if (invocation) {
        void run(environment, invocation);
      }
    }
    const mayStart = !starting && !closed && environments.size < options.maximumEnvironments;
    if (waiting.length > 0 && mayStart) {
      void startOne();
    }
  };

  const startOne = async () => {
    starting = true;
    const environment = options.start();
    environments.add(environment);
    void environment.ended.then(() => forget(environment));
    const error = await environment.loaded;
    starting = false;
    if (error) {
      // An environment that does not start is an error of each invocation that waited for it.
      failWaiting(waiting, error, () => onInvoked(false));
    } else {
      release(environment);
    }
    dispatch();
  };

  const run = async (environment: ExecutionEnvironment, invocation: Invocation) => {
    const result = await environment.invoke(invocation.payload);
    onInvoked(result.ok);
    release(environment);
    invocation.settle(result);
    dispatch();
  };

  const release = (environment: ExecutionEnvironment) => {
    if (!environment.isAlive()) {
      return;
    }
    const timer = setTimeout(() => void end(environment), options.idleMilliseconds);
    idle.set(environment, timer.unref());
  };

  /** An environment that is being ended is alive until its thread is gone, but must get no more invocations. */
  const end = (environment: ExecutionEnvironment) => {
    clearTimeout(idle.get(environment));
    idle.delete(environment);
    return environment.close();
  };

  const forget = (environment: ExecutionEnvironment) => {
    clearTimeout(idle.get(environment));
    idle.delete(environment);
    environments.delete(environment);
    dispatch();
  };

  return {
    invoke: async (payload) => {
      if (closed) {
        return { ok: false, error: shutdown };
      }
      return new Promise<InvokeResult>((settle) => {
        waiting.push({ payload, settle });
        dispatch();
      });
    },
    endIdle: async () => {
      await Promise.all([...idle.keys()].map(end));
    },
    close: async () => {
      closed = true;
      failWaiting(waiting, shutdown);
      await Promise.all([...environments].map((environment) => environment.close()));
    },
  };
}

/** Takes the environment that was used last, so that those that a burst left over grow old and end. */
function takeIdle(idle: Map<ExecutionEnvironment, NodeJS.Timeout>): ExecutionEnvironment | undefined {
  for (const [environment, timer] of [...idle].reverse()) {
    clearTimeout(timer);
    idle.delete(environment);
    if (environment.isAlive()) {
      return environment;
    }
  }
  return undefined;
}

function failWaiting(
  waiting: Invocation[],
  error: WorkerError,
  onFailure: () => void = () => undefined,
): void {
  for (const invocation of waiting.splice(0)) {
    onFailure();
    invocation.settle({ ok: false, error });
  }
}
