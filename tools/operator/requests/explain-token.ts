import { decodeProtectedHeader } from 'jose/decode/protected_header';
import { decodeJwt } from 'jose/jwt/decode';
import { accessTokenType } from '../../../contract/access-token.ts';
import { routes, type Scope } from '../../../contract/routes.ts';
import { ApiError } from '../../../lambdas/shared/http/api-error.ts';
import { importKeySet } from '../../../lambdas/shared/keys/verification-keys.ts';
import { createVerifyAccessToken } from '../../../lambdas/shared/tokens/access-token.ts';
import { entrySigningAt, type KeySet, publishedKeys } from '../../../storage/signing-keys.ts';
import { type Client, getClient } from '../clients/client.ts';
import type { Deployment } from '../deployment/deployment.ts';
import { isNotFound, OperationError } from '../errors.ts';
import { getKeySet } from '../signing-keys/signing-key.ts';
import { formatSeconds, quoted } from '../text.ts';

/** What a token says, and whether the API accepts it. */
export interface TokenExplanation {
  /** Header and claims as they stand in the token. Anybody can have written them. */
  readonly header: Readonly<Record<string, unknown>>;
  readonly claims: Readonly<Record<string, unknown>>;
  /** Whether the API accepts the token now. */
  readonly accepted: boolean;
  /** Why the API answers 401. */
  readonly problem?: string;
  /** The key that the token names, if the key is published. */
  readonly signing_key?: {
    readonly kid: string;
    readonly state: 'next' | 'current' | 'retired';
    /** Whether the key signs new tokens. */
    readonly signs: boolean;
  };
  /** The routes of the API, and whether the token may use each. For an accepted token. */
  readonly endpoints: readonly EndpointAccess[];
  /** The client that the token names, if this client exists. */
  readonly client?: Pick<Client, 'client_id' | 'name' | 'status' | 'scopes'>;
}

interface EndpointAccess {
  readonly method: string;
  readonly path: string;
  readonly scope: Scope;
  /** False: the API answers 403 `insufficient_scope`. */
  readonly allowed: boolean;
}

const protectedRoutes = Object.values(routes).filter((route) => route.needs === 'access token');

/**
 * Explains a token: its claims, who signed it, and whether the API accepts it.
 *
 * @param now milliseconds since the epoch
 * @throws {OperationError} when the text is not a JWT
 */
export async function explainToken(
  deployment: Deployment,
  token: string,
  now: number = Date.now(),
): Promise<TokenExplanation> {
  const decoded = decode(token);
  const { header, claims } = decoded;
  const keySet = await getKeySet(deployment);
  const key = publishedKeys(keySet, now).find(({ jwk }) => jwk.kid === header.kid);
  const { BaseUrl: baseUrl } = deployment.outputs;
  const problem = await findProblem(token, keySet, baseUrl, now);
  const client = await findClient(deployment, claims.client_id);
  const held = String(claims.scope).split(' ');
  return {
    accepted: problem === undefined,
    ...(problem !== undefined && { problem }),
    header,
    claims,
    ...(key && {
      signing_key: { kid: key.jwk.kid, state: key.state, signs: key === entrySigningAt(keySet, now) },
    }),
    endpoints:
      problem !== undefined
        ? []
        : protectedRoutes.map(({ method, path, scope }) => {
            return { method, path, scope, allowed: held.includes(scope) };
          }),
    ...(client && { client }),
  };
}

type Decoded = Pick<TokenExplanation, 'header' | 'claims'>;

function decode(token: string): Decoded {
  try {
    return { header: { ...decodeProtectedHeader(token) }, claims: { ...decodeJwt(token) } };
  } catch {
    throw new OperationError(
      'failed',
      'This is not an access token: a token has three parts in base64url, joined by dots. Check that it was copied whole.',
    );
  }
}

/** A token may name a client of another deployment, or a deleted client. This is no error. */
async function findClient(deployment: Deployment, clientId: unknown): Promise<TokenExplanation['client']> {
  try {
    const { client_id, name, status, scopes } = await getClient(deployment, String(clientId));
    return { client_id, name, status, scopes };
  } catch (error) {
    if (isNotFound(error)) {
      return undefined;
    }
    throw error;
  }
}

/**
 * Checks the token with the same code as the functions.
 *
 * @returns why the API answers 401 to the token; undefined when the API accepts it
 */
async function findProblem(
  token: string,
  keySet: KeySet,
  baseUrl: string,
  now: number,
): Promise<string | undefined> {
  const { keys } = await importKeySet({ ...keySet, keys: [...publishedKeys(keySet, now)] });
  const findKey = async (kid: string) => keys.get(kid);
  try {
    await createVerifyAccessToken({ findKey, baseUrl, now: () => new Date(now) })(token);
    return undefined;
  } catch (error) {
    if (error instanceof ApiError) {
      return describe(error.reason, decode(token), baseUrl, now);
    }
    throw error;
  }
}

/** Says in a sentence why the functions refuse a token, from the reason that they log. */
function describe(reason: string, { header, claims }: Decoded, baseUrl: string, now: number): string {
  const claim = /^ERR_JWT_CLAIM_VALIDATION_FAILED: (\w+)$/.exec(reason)?.[1];
  if (claim !== undefined) {
    const value = shown(claim === 'typ' ? header.typ : claims[claim]);
    const expected = { iss: baseUrl, aud: baseUrl, typ: accessTokenType }[claim];
    return expected === undefined
      ? `Its ${claim} is ${value}, so it is not valid now.`
      : `Its ${claim} is ${value}. For this deployment it must be ${quoted(expected)}.`;
  }
  switch (reason) {
    case 'ERR_JWT_EXPIRED':
      return `It expired ${formatSeconds(now / 1000 - Number(claims.exp))} ago. The client must request a new one.`;
    case 'ERR_JWS_SIGNATURE_VERIFICATION_FAILED':
      return 'Its signature is wrong: the token was changed, cut or forged.';
    case 'The token names no published key':
      return `No published key has the kid ${shown(header.kid)}: the key was revoked or is long retired, or the token is from another deployment.`;
    default:
      return `${reason}. The client must send the token as it was issued.`;
  }
}

/** A value of a header or claim, in a sentence. */
function shown(value: unknown): string {
  return value === undefined ? 'absent' : quoted(typeof value === 'string' ? value : JSON.stringify(value));
}
