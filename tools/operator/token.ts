import { decodeProtectedHeader } from 'jose/decode/protected_header';
import { JOSEError, JWSSignatureVerificationFailed } from 'jose/errors';
import { compactVerify } from 'jose/jws/compact/verify';
import { decodeJwt } from 'jose/jwt/decode';
import { jwtVerify } from 'jose/jwt/verify';
import { importJWK } from 'jose/key/import';
import { accessTokenType, forbiddenMember, isTokenSpelling } from '../../contract/access-token.ts';
import { type Route, routes } from '../../contract/routes.ts';
import type { Scope } from '../../contract/scopes.ts';
import { entrySigningAt, type KeySetEntry, publishedKeys } from '../../storage/signing-keys.ts';
import { type Client, getClient } from './clients.ts';
import type { Deployment } from './deployment/deployment.ts';
import { isNotFound, OperationError } from './errors.ts';
import { getKeySet } from './signing-keys.ts';
import { formatSeconds, quoted } from './text.ts';

/** What a token says, and what the API makes of it. */
export interface TokenExplanation {
  /** Header and claims, as somebody wrote them: nothing about them is certain. */
  readonly header: Readonly<Record<string, unknown>>;
  readonly claims: Readonly<Record<string, unknown>>;
  /** Whether the API accepts it now. */
  readonly accepted: boolean;
  /** Why the API answers 401: sentences. */
  readonly problems: readonly string[];
  /** The key that the token names, if it is published. */
  readonly signing_key?: {
    readonly kid: string;
    readonly state: 'next' | 'current' | 'retired';
    /** Whether it signs new tokens. */
    readonly signs: boolean;
  };
  /** What the token is allowed to do, if it is accepted. */
  readonly endpoints: readonly EndpointAccess[];
  /** The client that the token names, if there is one. */
  readonly client?: Pick<Client, 'client_id' | 'name' | 'status' | 'scopes'>;
}

interface EndpointAccess {
  readonly method: string;
  readonly path: string;
  readonly scope: Scope;
  /** False: the API answers 403 `insufficient_scope`. */
  readonly allowed: boolean;
}

const protectedRoutes: readonly (readonly [Route, Scope])[] = [
  [routes.volumes, 'volume:read'],
  [routes.sync, 'sync:create'],
];

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
  const problems = await findProblems(token, decoded, { key, baseUrl, now });
  const client = await findClient(deployment, claims.client_id);
  const held = String(claims.scope).split(' ');
  return {
    accepted: problems.length === 0,
    problems,
    header,
    claims,
    ...(key && {
      signing_key: { kid: key.jwk.kid, state: key.state, signs: key === entrySigningAt(keySet, now) },
    }),
    endpoints:
      problems.length > 0
        ? []
        : protectedRoutes.map(([{ method, path }, scope]) => {
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

/** A token may name a client of another deployment, or one that was deleted: that is no error. */
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

interface VerifyParts {
  /** The published key that the token names. */
  readonly key: KeySetEntry | undefined;
  readonly baseUrl: string;
  /** Milliseconds since the epoch. */
  readonly now: number;
}

/** Claims that must be there as text (RFC 9068 section 2.2). */
const textClaims = ['sub', 'client_id', 'organisation_id', 'scope', 'jti'] as const;

/**
 * Finds every reason for which the API answers 401 to a token. The functions stop at the first; somebody who looks for
 * the cause needs all of them.
 *
 * @returns sentences; none when the API accepts the token
 */
async function findProblems(
  token: string,
  { header, claims }: Decoded,
  parts: VerifyParts,
): Promise<readonly string[]> {
  const { key, baseUrl, now } = parts;
  const { typ, kid, alg } = header;
  const { iss, aud, exp, nbf, iat } = claims;
  const seconds = Math.floor(now / 1000);
  const forbidden = forbiddenMember(header);
  const missing = textClaims.filter((name) => typeof claims[name] !== 'string');
  const isType = typeof typ === 'string' && /^(application\/)?at\+jwt$/i.test(typ);
  const problems = [
    forbidden !== undefined && `Its header has ${quoted(forbidden)}, which no access token may have.`,
    !isType && `It is no access token: its type (typ) is ${shown(typ)}, not ${quoted(accessTokenType)}.`,
    typeof kid !== 'string' && 'It does not say which key signed it (kid).',
    typeof kid === 'string' &&
      key === undefined &&
      `No published key has the kid ${quoted(kid)}: the key was revoked or is long retired, or the token is from another deployment.`,
    key !== undefined &&
      alg !== key.jwk.alg &&
      `It is signed with ${shown(alg)}, but its key is for ${key.jwk.alg}.`,
    key !== undefined && (await signatureProblem(token, key)),
    // The API takes one spelling of a token (docs/api.md 6.12). Libraries that decode it take others.
    !isTokenSpelling(token) &&
      'It is not written as it was issued: it was cut, or padded with "=", or the last character of a part is ' +
        'another. The client must send the token unchanged.',
    iss !== baseUrl && `Its issuer (iss) is ${shown(iss)}. This deployment is ${quoted(baseUrl)}.`,
    ![aud].flat().includes(baseUrl) &&
      `Its audience (aud) is ${shown(aud)}. This deployment is ${quoted(baseUrl)}.`,
    typeof iat !== 'number' && 'It does not say when it was issued (iat).',
    typeof exp !== 'number' && 'It does not say when it expires (exp).',
    typeof exp === 'number' &&
      exp <= seconds &&
      `It expired ${formatSeconds(seconds - exp)} ago. The client must request a new one.`,
    typeof nbf === 'number' &&
      nbf > seconds &&
      `It is not valid for another ${formatSeconds(nbf - seconds)} (nbf).`,
    missing.length > 0 && `It lacks a claim: ${missing.join(', ')}.`,
  ].filter((problem) => typeof problem === 'string');
  return problems.length > 0 || key === undefined ? problems : verdict(token, key, parts);
}

async function signatureProblem(token: string, { jwk }: KeySetEntry): Promise<string | false> {
  try {
    await compactVerify(token, await importJWK(jwk, jwk.alg));
    return false;
  } catch (error) {
    return error instanceof JWSSignatureVerificationFailed
      ? 'Its signature is wrong: the token was changed, cut or forged.'
      : cannotBeVerified(error);
  }
}

/** The check that the functions make. It has the last word, so that a token is never called good by mistake. */
async function verdict(
  token: string,
  { jwk }: KeySetEntry,
  { baseUrl, now }: VerifyParts,
): Promise<readonly string[]> {
  try {
    await jwtVerify(token, await importJWK(jwk, jwk.alg), {
      algorithms: [jwk.alg],
      typ: accessTokenType,
      issuer: baseUrl,
      audience: baseUrl,
      requiredClaims: ['iat', 'exp'],
      currentDate: new Date(now),
    });
    return [];
  } catch (error) {
    return [cannotBeVerified(error)];
  }
}

function cannotBeVerified(error: unknown): string {
  return `It cannot be verified${error instanceof JOSEError ? ` (${error.code})` : ''}.`;
}

/** A value of a header or claim, in a sentence. */
function shown(value: unknown): string {
  return value === undefined ? 'absent' : quoted(typeof value === 'string' ? value : JSON.stringify(value));
}
