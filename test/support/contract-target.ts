import type { ClientCredentials } from './deployment.ts';

/** What a person gives for a deployment that they can't provision themselves. A missing one skips its tests. */
export interface GivenFixtures {
  /** Holds `volume:read` and `sync:create`. */
  readonly client: ClientCredentials;
  /** Holds only `volume:read`. */
  readonly reader?: ClientCredentials;
  readonly revoked?: ClientCredentials;
  /** Syncing enabled, of the organisation of `client`. */
  readonly file?: string;
  /** Syncing not enabled, of the organisation of `client`. */
  readonly fileNotEnabled?: string;
  /** Syncing enabled, of another organisation. */
  readonly fileOfAnother?: string;
}

/**
 * Which deployment the suite tests, and where its clients and files come from. The deployment is a local run of the
 * suite's own, a running local run, a deployed stack, or one that a person names. The suite provisions the first three;
 * for the last, the person gives the clients and files.
 */
export type Target =
  | { readonly kind: 'own-run' }
  | { readonly kind: 'local'; readonly stateDirectory: string }
  | { readonly kind: 'stack'; readonly name: string }
  | { readonly kind: 'given'; readonly baseUrl: string; readonly fixtures: GivenFixtures };

/**
 * One variable that only `npm run verify` and the long tests set. `npm test` must not follow the `FILE_SYNC_*` variables
 * that somebody has exported for the upload command.
 */
const variable = 'FILE_SYNC_CONTRACT_TARGET';

/** Environment for the test runner that makes it test `target`. */
export function targetEnvironment(target: Target): Readonly<Record<string, string>> {
  return { [variable]: JSON.stringify(target) };
}

/** The target that was chosen; a local run of the suite's own if none was. */
export function readTarget(environment: NodeJS.ProcessEnv = process.env): Target {
  const text = environment[variable];
  return text === undefined ? { kind: 'own-run' } : (JSON.parse(text) as Target);
}
