/** Media type of an access token, in its header (RFC 9068 section 2.1). */
export const accessTokenType = 'at+jwt';

/** Signature algorithms that a deployment may choose (RFC 7518 section 3.1). */
export const signingAlgorithms = ['ES256', 'RS256'] as const;

export type SigningAlgorithm = (typeof signingAlgorithms)[number];
