import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { ProducedSecret } from './produced-secrets.ts';
import { readWritten, type Written } from './search-for-secrets.ts';

/**
 * Files of a local run's state that store secrets on purpose. Only their owner can read them (mode 0600, in a
 * folder of mode 0700).
 */
const holders: readonly { readonly path: RegExp; readonly why: string }[] = [
  { path: /^aws\/root-secret$/, why: 'stands in for AWS: credentials are derived from it' },
  { path: /^aws\/secrets\/[^/]+\.json$/, why: 'stands in for Secrets Manager: the private signing keys' },
  { path: /^run\.json$/, why: "hands the operator's credentials to the admin command while the run serves" },
];

/** Reads the files of the state folder that must not contain secrets. */
export async function readSearchedState(stateDirectory: string): Promise<Written[]> {
  const all = await readWritten(stateDirectory);
  return all.filter(({ name }) => !holders.some(({ path }) => path.test(name)));
}

/**
 * Reads the secrets that the local run generated: signing keys, root secret, and the operator's while it
 * runs.
 */
export async function readOwnSecrets(stateDirectory: string): Promise<ProducedSecret[]> {
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
