/** Media type of an access token, in its header (RFC 9068 section 2.1). */
export const accessTokenType = 'at+jwt';

/** Signature algorithms that a deployment may choose (RFC 7518 section 3.1). */
export const signingAlgorithms = ['ES256', 'RS256'] as const;

export type SigningAlgorithm = (typeof signingAlgorithms)[number];

/**
 * One part of a token in base64url. It has no padding, and the unused bits of its last character are zero, so that bytes
 * have one spelling (RFC 7515 section 2, RFC 4648 section 3.5).
 */
const tokenPart = /^(?:[\w-]{4})*(?:[\w-]{4}|[\w-][AQgw]|[\w-]{2}[048AEIMQUYcgkosw])$/;

/**
 * Whether the text is spelled as a token is issued (docs/api.md 6.12). A library that decodes base64url also takes other
 * texts for the same token: with padding, or with another last character.
 */
export function isTokenSpelling(text: string): boolean {
  const parts = text.split('.');
  return parts.length === 3 && parts.every((part) => tokenPart.test(part));
}

/**
 * A member of a token's header that would change how the rest of the token is read: `crit` (RFC 7515 section 4.1.11)
 * and `b64`, which a JWT must not have (RFC 7797 section 7).
 *
 * @returns the name of the member; undefined when the header has none
 */
export function forbiddenMember(header: object): 'crit' | 'b64' | undefined {
  return (['crit', 'b64'] as const).find((name) => Object.hasOwn(header, name));
}
