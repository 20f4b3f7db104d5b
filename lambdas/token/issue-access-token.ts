import type { Token } from '../../contract/bodies/token.ts';
import type { Scope } from '../../contract/routes.ts';
import type { SignToken } from '../shared/keys/signing-key.ts';
import type { AuthenticatedClient } from './authenticate-client.ts';

export interface IssueDependencies {
  /** Returns the function that signs with the current key. */
  readonly currentKey: () => Promise<SignToken>;
  /** Issuer and audience: the base URL of this deployment. */
  readonly baseUrl: string;
  readonly lifetimeSeconds: number;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  readonly newTokenId: () => string;
}

/** Signs an access token (RFC 9068 section 2) and returns the response that contains it (RFC 6749 section 5.1). */
export async function issueAccessToken(
  { clientId, organisationId, allowFrom }: AuthenticatedClient,
  scopes: readonly Scope[],
  dependencies: IssueDependencies,
): Promise<Token> {
  const { baseUrl, lifetimeSeconds, now, newTokenId } = dependencies;
  const sign = await dependencies.currentKey();
  const iat = Math.floor(now() / 1000);
  const scope = scopes.join(' ');
  const accessToken = sign({
    iss: baseUrl,
    aud: baseUrl,
    sub: clientId,
    client_id: clientId,
    organisation_id: organisationId,
    scope,
    iat,
    exp: iat + lifetimeSeconds,
    jti: newTokenId(),
    // JSON leaves out an undefined value.
    allow_from: allowFrom,
  });
  return { access_token: accessToken, token_type: 'Bearer', expires_in: lifetimeSeconds, scope };
}
