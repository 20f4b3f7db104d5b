import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { LocalRun } from './local-run.ts';
import { readOwnSecrets, readSearchedState } from './local-state.ts';
import { producedSecretsVariable, readProduced } from './produced-secrets.ts';
import { describeSearch, searchForSecrets, type Written } from './search-for-secrets.ts';

/**
 * Collects the secrets of a suite, of all test files in this process tree, and searches all data that its local
 * run leaves behind.
 */
export async function startWatch() {
  const folder = await mkdtemp(join(tmpdir(), 'file-sync-leaks-'));
  const produced = join(folder, 'produced.jsonl');
  process.env[producedSecretsVariable] = produced;
  const stateDirectory = join(folder, 'state');
  return {
    /** Is removed at the end. */
    folder,
    /** For the local run. */
    stateDirectory,
    /**
     * Stops the run, searches its data and other data written about it, and removes the state.
     *
     * @throws {Error} with the kind and the location of each secret found
     */
    finish: async (run: LocalRun, more: readonly Written[] = []) => {
      delete process.env[producedSecretsVariable];
      const report = await stopAndSearch(run, produced, more);
      await rm(folder, { recursive: true, force: true });
      process.stdout.write(`\nLeaks: ${describeSearch(report)}\n`);
      if (report.leaks.length === 0) {
        return;
      }
      // The test runner prints errors of a teardown, but exits with 0.
      process.exitCode = 1;
      throw new Error(`Something leaked: ${describeSearch(report)}`);
    },
  };
}

/** Searches all data that a run wrote, and other data written about it. */
async function stopAndSearch(run: LocalRun, producedPath: string, more: readonly Written[]) {
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
