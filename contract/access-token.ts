/** Media type of an access token, in its header (RFC 9068 section 2.1). */
export const accessTokenType = 'at+jwt';

/** Signature algorithms that a deployment may choose (RFC 7518 section 3.1). */
export const signingAlgorithms = ['ES256', 'RS256'] as const;

export type SigningAlgorithm = (typeof signingAlgorithms)[number];

/**
 * One part of a token in base64url without padding. The unused bits of the last character are zero, so each
 * byte sequence is encoded in one way only (RFC 7515 section 2, RFC 4648 section 3.5).
 */
const tokenPart = /^(?:[\w-]{4})*(?:[\w-]{4}|[\w-][AQgw]|[\w-]{2}[048AEIMQUYcgkosw])$/;

/**
 * True if the text is encoded exactly like a token at issue (docs/api.md 6.12). A library that decodes
 * base64url also accepts other encodings of the same token: with padding, or with another last character.
 */
export function isTokenSpelling(text: string): boolean {
  const parts = text.split('.');
  return parts.length === 3 && parts.every((part) => tokenPart.test(part));
}

/**
 * Finds a header member that would change the meaning of the rest of the token: `crit` (RFC 7515 section
 * 4.1.11) or `b64`, which a JWT must not use (RFC 7797 section 7).
 *
 * @returns name of the member; undefined if the header contains none
 */
export function forbiddenMember(header: object): 'crit' | 'b64' | undefined {
  return (['crit', 'b64'] as const).find((name) => Object.hasOwn(header, name));
}
