/** The value of an Authorization header. RFC 6749 section 2.3.1: both parts are form-urlencoded before they are joined. */
export function basicCredentials(clientId: string, clientSecret: string): string {
  const encode = (text: string) => new URLSearchParams([['', text]]).toString().slice(1);
  return `Basic ${Buffer.from(`${encode(clientId)}:${encode(clientSecret)}`).toString('base64')}`;
}

/** Explains a client secret of the wrong form. Only who has the secret may be told: the token endpoint does not say it. */
export const mistypedSecret =
  'The client secret is mistyped, cut or from another service: its form or its checksum is wrong. ' +
  'A file may have added a byte order mark or a carriage return.';
