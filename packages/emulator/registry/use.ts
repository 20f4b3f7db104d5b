import type { RunningService, Start, Use } from './aws-service.ts';

/** Starts each service once: when somebody asks for the service the first time. */
export function createUse<Settings>(emulator: Settings): Use<Settings> {
  const started = new Map<unknown, Promise<RunningService>>();
  const use = <Running extends RunningService>(service: {
    readonly start: Start<Settings, Running>;
  }): Promise<Running> => {
    const { start } = service;
    const running = started.get(start) ?? start(emulator, use);
    started.set(start, running);
    // The map holds under `start` what `start` returned.
    return running as Promise<Running>;
  };
  return use;
}
