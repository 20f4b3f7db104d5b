import { accessTokenType } from '../../contract/access-token.ts';
import type { Token } from '../../contract/bodies.ts';
import type { Scope } from '../../contract/scopes.ts';
import type { AuthenticatedClient } from './authenticate-client.ts';
import type { SigningKeyAt } from './signing-key.ts';

export interface IssueDependencies {
  readonly signingKeys: () => Promise<SigningKeyAt>;
  /** Issuer and audience: the base URL of this deployment. */
  readonly baseUrl: string;
  readonly lifetimeSeconds: number;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  readonly newTokenId: () => string;
}

/** Signs an access token (RFC 9068 section 2) and returns the answer that contains it (RFC 6749 section 5.1). */
export async function issueAccessToken(
  { clientId, organisationId }: AuthenticatedClient,
  scopes: readonly Scope[],
  dependencies: IssueDependencies,
): Promise<Token> {
  const { baseUrl, lifetimeSeconds, now, newTokenId } = dependencies;
  const signingKeyAt = await dependencies.signingKeys();
  const issuedAt = now();
  const { alg, kid, sign } = signingKeyAt(issuedAt);
  const scope = scopes.join(' ');
  const iat = Math.floor(issuedAt / 1000);

  // RFC 7515 section 7.1, compact serialization.
  const header = base64url({ alg, typ: accessTokenType, kid });
  const payload = base64url({
    iss: baseUrl,
    aud: baseUrl,
    sub: clientId,
    client_id: clientId,
    organisation_id: organisationId,
    scope,
    iat,
    exp: iat + lifetimeSeconds,
    jti: newTokenId(),
  });
  const signingInput = `${header}.${payload}`;
  const accessToken = `${signingInput}.${sign(signingInput)}`;
  return { access_token: accessToken, token_type: 'Bearer', expires_in: lifetimeSeconds, scope };
}

function base64url(value: object): string {
  return Buffer.from(JSON.stringify(value)).toString('base64url');
}
