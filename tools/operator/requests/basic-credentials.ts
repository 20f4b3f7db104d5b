/**
 * Returns the value of an Authorization header. Both parts are form-urlencoded before they are joined (RFC
 * 6749 section 2.3.1).
 */
export function basicCredentials(clientId: string, clientSecret: string): string {
  const encode = (text: string) => new URLSearchParams([['', text]]).toString().slice(1);
  return `Basic ${Buffer.from(`${encode(clientId)}:${encode(clientSecret)}`).toString('base64')}`;
}

/**
 * Explains a client secret in the wrong format. Show it only to the owner of the secret: the token endpoint
 * does not disclose it.
 */
export const mistypedSecret =
  'The client secret is mistyped, cut or from another service: its form or its checksum is wrong. A file may have added a byte order mark or a carriage return.';
