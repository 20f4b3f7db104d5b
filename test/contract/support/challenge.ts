import type { Answer } from './http.ts';

/** RFC 7617 section 2: `realm` is required. */
export const basicChallenge = /^Basic realm="[^"]+"/;

/** The challenge of a 401 or 403. API Gateway may rename the header, so that it is looked for under both names. */
export function challengeOf({ headers }: Answer): string {
  const challenge = headers['www-authenticate'] ?? headers['x-amzn-remapped-www-authenticate'] ?? '';
  return String(challenge);
}
