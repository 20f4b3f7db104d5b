import type { Deployment } from './deployment.ts';

/** Fixtures for a deployment that the tester cannot provision. A missing one skips its tests. */
type GivenFixtures = Pick<
  Deployment,
  'client' | 'reader' | 'revoked' | 'file' | 'fileNotEnabled' | 'fileOfAnother'
>;

/**
 * Deployment under test, and source of its clients and files. The deployment is the suite's own local run, a
 * running local run, a deployed stack, or a base URL. The suite provisions the first three; for the last, the
 * tester provides the clients and files.
 */
export type Target =
  | { readonly kind: 'own-run' }
  | { readonly kind: 'local'; readonly stateDirectory: string }
  | { readonly kind: 'stack'; readonly name: string }
  | { readonly kind: 'given'; readonly baseUrl: string; readonly fixtures: GivenFixtures };

/**
 * One variable that only `npm run verify` and the long tests set. `npm test` must not use the `FILE_SYNC_*`
 * variables that a developer exported for the upload command.
 */
const variable = 'FILE_SYNC_CONTRACT_TARGET';

/** Returns the environment with which the test runner tests `target`. */
export function targetEnvironment(target: Target): Readonly<Record<string, string>> {
  return { [variable]: JSON.stringify(target) };
}

/** Returns the selected target; by default a local run of the suite's own. */
export function readTarget(environment: NodeJS.ProcessEnv = process.env): Target {
  const text = environment[variable];
  return text === undefined ? { kind: 'own-run' } : (JSON.parse(text) as Target);
}
