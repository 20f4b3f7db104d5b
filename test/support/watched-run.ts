import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { LocalRun } from './local-run.ts';
import { readOwnSecrets, readSearchedState } from './local-state.ts';
import { producedSecretsVariable, readProduced } from './produced-secrets.ts';
import { describeSearch, type SearchReport, searchForSecrets, type Written } from './search-for-secrets.ts';

/** Collects what a suite produces, to search everything that its local run leaves behind. */
export interface Watch {
  /** For the local run. */
  readonly stateDirectory: string;
  /**
   * Stops the run, searches, and removes the state.
   *
   * @throws {Error} saying what kind of secret was found where
   */
  readonly finish: (run: LocalRun) => Promise<void>;
}

/** Has the test files of this process tree record what they produce from now on. */
export async function startWatch(): Promise<Watch> {
  const folder = await mkdtemp(join(tmpdir(), 'file-sync-leaks-'));
  const produced = join(folder, 'produced.jsonl');
  process.env[producedSecretsVariable] = produced;
  const stateDirectory = join(folder, 'state');
  return {
    stateDirectory,
    finish: async (run) => {
      delete process.env[producedSecretsVariable];
      const report = await stopAndSearch(run, produced);
      await rm(folder, { recursive: true, force: true });
      process.stdout.write(`\nLeaks: ${describeSearch(report)}\n`);
      if (report.leaks.length === 0) return;
      // The test runner prints what a teardown throws, and succeeds all the same.
      process.exitCode = 1;
      throw new Error(`Something leaked: ${describeSearch(report)}`);
    },
  };
}

/** Searches all that a run wrote, and more that was written about it. */
export async function stopAndSearch(
  run: LocalRun,
  producedPath: string,
  more: readonly Written[] = [],
): Promise<SearchReport> {
  const whileServing = await readOwnSecrets(run.stateDirectory);
  await run.stop();
  const secrets = [...whileServing, ...(await readOwnSecrets(run.stateDirectory))];
  const known = new Map(
    [...secrets, ...(await readProduced(producedPath))].map((secret) => [secret.value, secret]),
  );
  const outputs = [
    { name: 'standard output of the local run', bytes: Buffer.from(run.stdout()) },
    { name: 'standard error of the local run', bytes: Buffer.from(run.stderr()) },
  ];
  const state = await readSearchedState(run.stateDirectory);
  return searchForSecrets([...known.values()], [...state, ...outputs, ...more]);
}
