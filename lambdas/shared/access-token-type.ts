/** Media type of an access token, in its header (RFC 9068 section 2.1). */
export const accessTokenType = 'at+jwt';
