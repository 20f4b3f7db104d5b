import { decodeProtectedHeader } from 'jose/decode/protected_header';
import { decodeJwt } from 'jose/jwt/decode';
import { accessTokenType } from '../../../contract/access-token.ts';
import { ApiError } from '../../../lambdas/shared/http/api-error.ts';
import { importKeySet } from '../../../lambdas/shared/keys/verification-keys.ts';
import { createVerifyAccessToken } from '../../../lambdas/shared/tokens/access-token.ts';
import { publishedKeys } from '../../../storage/signing-keys.ts';
import { type Client, clientOf } from '../clients/client.ts';
import type { Deployment } from '../deployment/deployment.ts';
import { readItem } from '../deployment/items.ts';
import { OperationError } from '../errors.ts';
import { getKeySet, type SigningKey, signingKeysIn } from '../signing-keys/signing-key.ts';
import type { LogMembers } from './logs.ts';

/** Header and claims of a token, unverified. */
interface DecodedToken {
  readonly header: Readonly<Record<string, unknown>>;
  readonly claims: Readonly<Record<string, unknown>>;
}

/** Contents of a token, and the API's decision about it. */
export interface TokenExplanation extends DecodedToken {
  /** True if the API accepts the token now. */
  readonly accepted: boolean;
  /** Cause of the API's 401 response. */
  readonly problem?: string;
  /** Key that the token names, if the key is published. */
  readonly signing_key: SigningKey | undefined;
  /**
   * Client that the token names. Undefined for a client of another deployment, or a client that does not
   * exist.
   */
  readonly client: Client | undefined;
}

/**
 * Explains a token: its claims, its signing key, and the API's decision about it. Verifies the token with the
 * code of the functions.
 *
 * @throws {OperationError} when the text is not a JWT
 */
export async function explainToken(deployment: Deployment, token: string): Promise<TokenExplanation> {
  const { header, claims } = decode(token);
  const { BaseUrl: baseUrl } = deployment.outputs;
  const keySet = await getKeySet(deployment);
  const now = deployment.now();
  const { keys } = await importKeySet({ keys: [...publishedKeys(keySet, now)] });
  const verify = createVerifyAccessToken({
    findKey: async (kid) => keys.get(kid),
    baseUrl,
    now: () => new Date(now),
  });
  const client = await readItem(deployment, 'client', String(claims.client_id));
  const explained = {
    header,
    claims,
    signing_key: signingKeysIn(keySet, now).find(({ kid }) => kid === header.kid),
    client: client && clientOf(client),
  };
  try {
    await verify(token);
    return { ...explained, accepted: true };
  } catch (error) {
    if (error instanceof ApiError) {
      const { tokenProblem: token_problem, ...rejected } = error.parts;
      return { ...explained, accepted: false, problem: sentenceFor({ ...rejected, token_problem }, baseUrl) };
    }
    throw error;
  }
}

function decode(token: string): DecodedToken {
  try {
    return { header: decodeProtectedHeader(token), claims: decodeJwt(token) };
  } catch {
    throw new OperationError(
      'This is not an access token: a token has three parts in base64url, joined by dots. Check that it was copied whole.',
    );
  }
}

/**
 * Explains a rejection of a token in a sentence.
 *
 * @param rejected members of the log line
 */
export function sentenceFor(
  {
    rejection,
    token_problem,
    claim,
    reason,
  }: Pick<LogMembers, 'rejection' | 'token_problem' | 'claim' | 'reason'>,
  baseUrl: string,
): string {
  if (rejection === 'expired_token') {
    return 'The token has expired. The client must request a new one.';
  }
  switch (token_problem) {
    case 'wrong_claim':
      return `The ${claim} of the token is wrong: this deployment issues tokens with typ "${accessTokenType}", and with ${baseUrl} as iss and aud.`;
    case 'wrong_signature':
      return 'The signature is wrong: the token was changed, cut or forged.';
    case 'unpublished_key':
      return 'No published key has the kid of the token: the key was revoked or is long retired, or the token is from another deployment.';
    case 'malformed':
    case 'forbidden_header':
    case 'missing_claim':
    case 'unverifiable':
    case undefined:
      return `${reason}. The client must send the token as it was issued.`;
  }
}
