import type { JWK } from 'jose';
import type { Deployment as OperatedDeployment } from '../../tools/operator/deployment/deployment.ts';

/** Client ID and client secret, as the operator sends them to a client application. */
export interface ClientCredentials {
  readonly clientId: string;
  readonly clientSecret: string;
}

/** A private key of the suite, and its values for the header of a token. */
export interface SigningKey {
  readonly jwk: JWK;
  readonly kid: string;
  readonly alg: string;
}

/** A revoked client, and a token issued to it before the revocation. */
interface RevokedClient extends ClientCredentials {
  readonly earlierToken?: string;
}

/** The deployment under test and its provisioned fixtures. An absent member cannot be tested there. */
export interface Deployment {
  /** Without a trailing slash. */
  readonly baseUrl: string;
  /** True if an absent member fails the tests instead of skipping them. */
  readonly complete: boolean;
  readonly organisationId?: string;
  /** Client with `volume:read` and `sync:create`. */
  readonly client: ClientCredentials;
  /** Client with only `volume:read`. */
  readonly reader?: ClientCredentials;
  readonly revoked?: RevokedClient;
  /** Client that may send requests only from an address that no machine has. */
  readonly elsewhere?: ClientCredentials;
  /** File of the organisation of `client`, with syncing enabled. */
  readonly file?: string;
  /** File of the organisation of `client`, with syncing not enabled. */
  readonly fileNotEnabled?: string;
  /** File of another organisation, with syncing enabled. */
  readonly fileOfAnother?: string;
  /**
   * A local run, with an operator's rights. Its clock is omitted: vitest cannot send functions to a worker.
   */
  readonly operator?: Omit<OperatedDeployment, 'now' | 'skew'>;
  /** Published in the key set of the deployment. */
  readonly signingKey?: SigningKey;
}
