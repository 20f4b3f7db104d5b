import { atEnd } from 'cloud-assembly-emulator/test/at-end';
import type { ConsoleContext } from '../../../../tools/console/http/environment.ts';
import { type RunningConsole, serveConsole } from '../../../../tools/console/serve.ts';
import type { Deployment } from '../../../../tools/operator/deployment/deployment.ts';
import { type Items, startAws } from '../../../support/aws.ts';

/** Console that serves a deployment in this process. */
export interface TestConsole extends RunningConsole {
  /** Milliseconds by which the console's clock is ahead. */
  ahead: number;
  readonly stop: () => Promise<void>;
}

/**
 * Serves the console of a deployment until the end of the test or of the file.
 *
 * @param port port number; default: a free port
 */
export async function startConsole(
  deployment: Deployment,
  changes: Partial<ConsoleContext> = {},
  port = 0,
): Promise<TestConsole> {
  const now = () => Date.now() + served.ahead;
  const console = await serveConsole({
    port,
    portFlag: '--port',
    now,
    open: async () => ({
      deployment,
      name: 'test deployment',
      readOnly: false,
      sleep: async () => undefined,
      newLinkHint: 'Ask for a new one.',
      ...changes,
    }),
  });
  const served: TestConsole = { ...console, ahead: 0, stop: console.close };
  atEnd(console.close);
  return served;
}

/**
 * Creates a clock that advances by at least `milliseconds` with each call, so that work with a time limit
 * stops after its first step.
 */
export function hurriedClock(milliseconds = 1000): () => number {
  let checks = 0;
  return () => {
    checks += 1;
    return Date.now() + checks * milliseconds;
  };
}

/** Serves the console of a deployment in the emulator. @returns console and its emulated AWS */
export async function startConsoleWithAws(changes: Partial<ConsoleContext> = {}, items: Items = {}) {
  const aws = await startAws(items);
  return Object.assign(await startConsole(aws.deployment, changes), { aws });
}

/** Console, and the emulated AWS that it manages. */
export type ConsoleWithAws = Awaited<ReturnType<typeof startConsoleWithAws>>;
