import type { ExecutionEnvironment } from './execution-environment.ts';

/** Environments that wait for an invocation. Each ends when it has waited too long. */
export interface IdleEnvironments {
  readonly add: (environment: ExecutionEnvironment) => void;
  /** The environment that was used last, so that those that a burst left over grow old and end. */
  readonly take: () => ExecutionEnvironment | undefined;
  readonly remove: (environment: ExecutionEnvironment) => void;
  readonly endAll: () => Promise<void>;
}

export function createIdleEnvironments(longestMilliseconds: number): IdleEnvironments {
  const timers = new Map<ExecutionEnvironment, NodeJS.Timeout>();
  const remove = (environment: ExecutionEnvironment) => {
    clearTimeout(timers.get(environment));
    timers.delete(environment);
  };
  // An environment that is being ended is alive until its thread is gone, but must get no more invocations.
  const end = (environment: ExecutionEnvironment) => {
    remove(environment);
    return environment.close();
  };
  return {
    add: (environment) => {
      const timer = setTimeout(() => void end(environment), longestMilliseconds);
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
