import type { RunningService, Start, Use } from './aws-service.ts';

/** Starts each service once, on its first use. */
export function createUse<Settings>(emulator: Settings): Use<Settings> {
  const started = new Map<unknown, Promise<RunningService>>();
  const use = <Running extends RunningService>(service: {
    readonly start: Start<Settings, Running>;
  }): Promise<Running> => {
    const { start } = service;
    const running = started.get(start) ?? start(emulator, use);
    started.set(start, running);
    // The map stores the result of each `start` under that function.
    return running as Promise<Running>;
  };
  return use;
}
