import { decodeProtectedHeader } from 'jose/decode/protected_header';
import { JOSEError, JWSSignatureVerificationFailed } from 'jose/errors';
import { compactVerify } from 'jose/jws/compact/verify';
import { decodeJwt } from 'jose/jwt/decode';
import { jwtVerify } from 'jose/jwt/verify';
import { importJWK } from 'jose/key/import';
import { accessTokenType, forbiddenMember, isTokenSpelling } from '../../../contract/access-token.ts';
import type { KeySetEntry } from '../../../storage/signing-keys.ts';
import { formatSeconds, quoted } from '../text.ts';

/** Header and claims, as somebody wrote them: nothing about them is certain. */
export interface DecodedToken {
  readonly header: Readonly<Record<string, unknown>>;
  readonly claims: Readonly<Record<string, unknown>>;
}

/** @returns undefined for a text that is not a JWT */
export function decodeToken(token: string): DecodedToken | undefined {
  try {
    return { header: { ...decodeProtectedHeader(token) }, claims: { ...decodeJwt(token) } };
  } catch {
    return undefined;
  }
}

export interface VerifyParts {
  /** The published key that the token names. */
  readonly key: KeySetEntry | undefined;
  readonly baseUrl: string;
  readonly now: Date;
}

/**
 * Finds every reason for which the API answers 401 to a token. The functions stop at the first; somebody who looks for
 * the cause needs all of them.
 *
 * @returns sentences; none when the API accepts the token
 */
export async function findProblems(
  token: string,
  decoded: DecodedToken,
  parts: VerifyParts,
): Promise<readonly string[]> {
  const { key } = parts;
  const found = [
    ...headerProblems(decoded.header, key),
    ...(key === undefined ? [] : await signatureProblems(token, key)),
    ...spellingProblems(token),
    ...claimProblems(decoded, parts),
  ];
  return found.length > 0 || key === undefined ? found : finalProblems(token, key, parts);
}

function headerProblems(header: DecodedToken['header'], key: KeySetEntry | undefined): string[] {
  const { typ, kid, alg } = header;
  const problems = [];
  const forbidden = forbiddenMember(header);
  if (forbidden !== undefined) {
    problems.push(`Its header has ${quoted(forbidden)}, which no access token may have.`);
  }
  if (typeof typ !== 'string' || !/^(application\/)?at\+jwt$/i.test(typ)) {
    problems.push(`It is no access token: its type (typ) is ${shown(typ)}, not ${quoted(accessTokenType)}.`);
  }
  if (typeof kid !== 'string') {
    problems.push('It does not say which key signed it (kid).');
  } else if (key === undefined) {
    problems.push(
      `No published key has the kid ${quoted(kid)}: the key was revoked or is long retired, or the token is from another deployment.`,
    );
  } else if (alg !== key.jwk.alg) {
    problems.push(`It is signed with ${shown(alg)}, but its key is for ${key.jwk.alg}.`);
  }
  return problems;
}

async function signatureProblems(token: string, { jwk }: KeySetEntry): Promise<string[]> {
  try {
    await compactVerify(token, await importJWK(jwk, jwk.alg));
    return [];
  } catch (error) {
    if (error instanceof JWSSignatureVerificationFailed) {
      return ['Its signature is wrong: the token was changed, cut or forged.'];
    }
    return [cannotBeVerified(error)];
  }
}

/** The API takes one spelling of a token (docs/api.md 6.12). Libraries that decode it take others. */
function spellingProblems(token: string): string[] {
  return isTokenSpelling(token)
    ? []
    : [
        'It is not written as it was issued: it was cut, or padded with "=", or the last character of a part is ' +
          'another. The client must send the token unchanged.',
      ];
}

/** Claims that must be there as text (RFC 9068 section 2.2). */
const textClaims = ['sub', 'client_id', 'organisation_id', 'scope', 'jti'] as const;

function claimProblems(decoded: DecodedToken, parts: VerifyParts): string[] {
  const { claims } = decoded;
  const { now } = parts;
  const missing = textClaims.filter((name) => typeof claims[name] !== 'string');
  return [
    ...addressProblems(decoded, parts.baseUrl),
    ...timeProblems(claims, Math.floor(now.getTime() / 1000)),
    ...(missing.length === 0 ? [] : [`It lacks a claim: ${missing.join(', ')}.`]),
  ];
}

/** Issuer and audience must be the base URL. */
function addressProblems({ claims: { iss, aud } }: DecodedToken, baseUrl: string): string[] {
  const problems = [];
  if (iss !== baseUrl) {
    problems.push(`Its issuer (iss) is ${shown(iss)}. This deployment is ${quoted(baseUrl)}.`);
  }
  if (![aud].flat().includes(baseUrl)) {
    problems.push(`Its audience (aud) is ${shown(aud)}. This deployment is ${quoted(baseUrl)}.`);
  }
  return problems;
}

function timeProblems({ exp, nbf, iat }: DecodedToken['claims'], now: number): string[] {
  const problems = [];
  if (typeof iat !== 'number') {
    problems.push('It does not say when it was issued (iat).');
  }
  if (typeof exp !== 'number') {
    problems.push('It does not say when it expires (exp).');
  } else if (exp <= now) {
    problems.push(`It expired ${formatSeconds(now - exp)} ago. The client must request a new one.`);
  }
  if (typeof nbf === 'number' && nbf > now) {
    problems.push(`It is not valid for another ${formatSeconds(nbf - now)} (nbf).`);
  }
  return problems;
}

/** The check that the functions make. It has the last word, so that a token is never called good by mistake. */
async function finalProblems(
  token: string,
  { jwk }: KeySetEntry,
  { baseUrl, now }: Pick<VerifyParts, 'baseUrl' | 'now'>,
): Promise<string[]> {
  try {
    await jwtVerify(token, await importJWK(jwk, jwk.alg), {
      algorithms: [jwk.alg],
      typ: accessTokenType,
      issuer: baseUrl,
      audience: baseUrl,
      requiredClaims: ['iat', 'exp'],
      currentDate: now,
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
