import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { inject } from 'vitest';
import type { Deployment } from '../../support/deployment.ts';

/** What the global setup leaves for the test files: the deployment, or why there is none. */
export type Outcome =
  | { readonly ready: true; readonly deployment: Deployment }
  | { readonly ready: false; readonly reason: string };

declare module 'vitest' {
  interface ProvidedContext {
    /** Folder where {@link outcomeFile} appears. */
    readonly contractFolder: string;
  }
}

export const outcomeFile = 'outcome.json';

/**
 * The deployment under test. Waits for the global setup, which starts one for all test files and doesn't hold up
 * the rest of the tests meanwhile.
 *
 * @throws {Error} saying why there is no deployment
 */
export async function readDeployment(): Promise<Deployment> {
  const outcome = await waitForOutcome(join(inject('contractFolder'), outcomeFile));
  if (!outcome.ready) throw new Error(`There is no deployment to test: ${outcome.reason}`);
  return outcome.deployment;
}

async function waitForOutcome(path: string): Promise<Outcome> {
  for (;;) {
    const text = await readFile(path, 'utf8').catch(() => undefined);
    if (text !== undefined) return JSON.parse(text) as Outcome;
    await delay(100);
  }
}
