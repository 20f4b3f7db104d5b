import { SignJWT } from 'jose/jwt/sign';
import { accessTokenType } from '../shared/access-token-type.ts';
import type { Scope } from '../shared/contract.ts';
import type { Token } from '../shared/schemas.ts';
import type { AuthenticatedClient } from './authenticate-client.ts';
import type { SignerAt } from './signer.ts';

export interface IssueDependencies {
  readonly signerAt: () => Promise<SignerAt>;
  /** Issuer and audience: the base URL of this deployment. */
  readonly baseUrl: string;
  readonly lifetimeSeconds: number;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  readonly newTokenId: () => string;
}

/** Issues a signed access token (RFC 9068 section 2) and the answer that carries it (RFC 6749 section 5.1). */
export async function issueAccessToken(
  { clientId, organisationId }: AuthenticatedClient,
  scopes: readonly Scope[],
  dependencies: IssueDependencies,
): Promise<Token> {
  const { baseUrl, lifetimeSeconds, now, newTokenId } = dependencies;
  const signerAt = await dependencies.signerAt();
  const issuedAt = now();
  const { key, alg, kid } = signerAt(issuedAt);
  const scope = scopes.join(' ');
  const iat = Math.floor(issuedAt / 1000);

  const accessToken = await new SignJWT({
    iss: baseUrl,
    aud: baseUrl,
    sub: clientId,
    client_id: clientId,
    organisation_id: organisationId,
    scope,
    iat,
    exp: iat + lifetimeSeconds,
    jti: newTokenId(),
  })
    .setProtectedHeader({ alg, typ: accessTokenType, kid })
    .sign(key);

  return { access_token: accessToken, token_type: 'Bearer', expires_in: lifetimeSeconds, scope };
}
