import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { LocalRun } from './local-run.ts';
import { type ProducedSecret, producedSecretsVariable, readProduced } from './produced-secrets.ts';
import { describeSearch, readWritten, searchForSecrets, type Written } from './search-for-secrets.ts';

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

/**
 * Files of a local run's state that store secrets on purpose. Only their owner can read them (mode 0600, in a
 * folder of mode 0700).
 */
const holders = [
  // Stands in for AWS: credentials are derived from it.
  /^aws\/root-secret$/,
  // Stands in for Secrets Manager: the private signing keys.
  /^aws\/secrets\/[^/]+\.json$/,
  // Hands the operator's credentials to the admin command while the run serves.
  /^run\.json$/,
];

/** Reads the files of the state folder that must not contain secrets. */
async function readSearchedState(stateDirectory: string): Promise<Written[]> {
  const all = await readWritten(stateDirectory);
  return all.filter(({ name }) => !holders.some((path) => path.test(name)));
}

/**
 * Reads the secrets that the local run generated: signing keys, root secret, and the operator's while it
 * runs.
 */
async function readOwnSecrets(stateDirectory: string): Promise<ProducedSecret[]> {
  const root = (await readFile(join(stateDirectory, 'aws/root-secret'), 'utf8')).trim();
  const keys = (await readWritten(join(stateDirectory, 'aws/secrets'))).flatMap(({ bytes }) =>
    [...bytes.toString('utf8').matchAll(/\\?"d\\?"\s*:\s*\\?"([\w-]{40,})/g)].map((match) => match[1] ?? ''),
  );
  const run = await readFile(join(stateDirectory, 'run.json'), 'utf8').catch(() => '{}');
  const { credentials } = JSON.parse(run) as { readonly credentials?: { readonly secretAccessKey: string } };
  return [
    { kind: 'AWS secret key', value: root },
    ...(credentials ? [{ kind: 'AWS secret key', value: credentials.secretAccessKey } as const] : []),
    ...keys.map((value) => ({ kind: 'private key', value }) as const),
  ];
}
