/** The value of an Authorization header. RFC 6749 section 2.3.1: both parts are form-urlencoded before they are joined. */
export function basicCredentials(clientId: string, clientSecret: string): string {
  const encode = (text: string) => new URLSearchParams([['', text]]).toString().slice(1);
  return `Basic ${Buffer.from(`${encode(clientId)}:${encode(clientSecret)}`).toString('base64')}`;
}
