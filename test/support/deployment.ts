import type { JWK } from 'jose';
import type { Deployment as OperatedDeployment } from '../../tools/operator/deployment/deployment.ts';

/** A client ID and its client secret, as the operator hands them to a client application. */
export interface ClientCredentials {
  readonly clientId: string;
  readonly clientSecret: string;
}

/** A private key that the suite has, and what a token's header says about it. */
export interface SigningKey {
  readonly jwk: JWK;
  readonly kid: string;
  readonly alg: string;
}

/** A client that was revoked, and a token that it got before. */
export interface RevokedClient extends ClientCredentials {
  readonly earlierToken?: string;
}

/** The deployment under test with everything provisioned on it. An absent member can't be tested there. */
export interface Deployment {
  /** Without a trailing slash. */
  readonly baseUrl: string;
  /** Whether an absent member is a mistake rather than a reason to skip. */
  readonly complete: boolean;
  readonly organisationId?: string;
  readonly client: ClientCredentials;
  readonly reader?: ClientCredentials;
  readonly revoked?: RevokedClient;
  readonly file?: string;
  readonly fileNotEnabled?: string;
  readonly fileOfAnother?: string;
  /** With an operator's rights: a local run. Its clock is left out: vitest hands no function to a worker. */
  readonly operator?: Omit<OperatedDeployment, 'now'>;
  /** Published in the key set of the deployment. */
  readonly signingKey?: SigningKey;
}
