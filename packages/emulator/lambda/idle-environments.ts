import type { ExecutionEnvironment } from './execution-environment.ts';

/** Environments that wait for an invocation. An environment that waits too long is ended. */
export interface IdleEnvironments {
  readonly add: (environment: ExecutionEnvironment) => void;
  /**
   * Takes the environment that was used last. Surplus environments of a burst therefore stay idle and are
   * ended.
   */
  readonly take: () => ExecutionEnvironment | undefined;
  readonly remove: (environment: ExecutionEnvironment) => void;
  readonly endAll: () => Promise<void>;
}

export function createIdleEnvironments(maxMilliseconds: number): IdleEnvironments {
  const timers = new Map<ExecutionEnvironment, NodeJS.Timeout>();
  const remove = (environment: ExecutionEnvironment) => {
    clearTimeout(timers.get(environment));
    timers.delete(environment);
  };
  // An environment is alive until its thread has ended, but receives no more invocations from here on.
  const end = (environment: ExecutionEnvironment) => {
    remove(environment);
    return environment.close();
  };
  return {
    add: (environment) => {
      const timer = setTimeout(() => void end(environment), maxMilliseconds);
      timers.set(environment, timer.unref());
    },
    take: () => {
      const environment = [...timers.keys()].findLast((each) => each.isAlive());
      if (environment !== undefined) {
        remove(environment);
      }
      return environment;
    },
    remove,
    endAll: async () => {
      await Promise.all([...timers.keys()].map(end));
    },
  };
}
