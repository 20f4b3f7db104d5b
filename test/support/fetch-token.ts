import type { ClientCredentials } from './deployment.ts';
import { recordProduced } from './produced-secrets.ts';
import { patientFetch } from './throttled.ts';

/**
 * Requests a token with every scope of the client, with a single `fetch`.
 *
 * @throws {Error} with the status, if no token is issued
 */
export async function fetchToken(
  baseUrl: string,
  { clientId, clientSecret }: ClientCredentials,
): Promise<string> {
  const form = new URLSearchParams({
    grant_type: 'client_credentials',
    client_id: clientId,
    client_secret: clientSecret,
  });
  const response = await patientFetch(`${baseUrl}/oauth/token`, { method: 'POST', body: form });
  const body = (await response.json()) as { readonly access_token?: string };
  if (!response.ok || body.access_token === undefined) {
    throw new Error(`The token endpoint responded with ${response.status}`);
  }
  recordProduced('access token', body.access_token);
  return body.access_token;
}
