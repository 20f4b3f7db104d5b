import type { ClientCredentials } from '../../support/deployment.ts';
import type { Headers, HttpResponse } from './http.ts';
import { api } from './tested.ts';

interface TokenRequest {
  /** Form parameters in order, or the exact body. */
  readonly form?: readonly (readonly [string, string])[] | string | Buffer;
  /** Value of the Authorization header; a list is sent as one header line per value. */
  readonly authorization?: string | readonly string[];
  /** `null` sends no Content-Type. */
  readonly contentType?: string | null;
}

export const formType = 'application/x-www-form-urlencoded';

export const grant = ['grant_type', 'client_credentials'] as const;

/** Returns the parameters as a form. */
export const grantOnly = 'grant_type=client_credentials';

/** Sends POST /oauth/token. */
export function requestToken({
  form = [],
  authorization,
  contentType = formType,
}: TokenRequest): Promise<HttpResponse> {
  const headers: Headers = {
    ...(contentType === null ? {} : { 'content-type': contentType }),
    ...(authorization === undefined ? {} : { authorization }),
  };
  return api.call({ method: 'POST', path: '/oauth/token', headers, body: encodeForm(form) });
}

function encodeForm(form: NonNullable<TokenRequest['form']>): string | Buffer {
  if (typeof form === 'string' || Buffer.isBuffer(form)) {
    return form;
  }
  return form.map(([name, value]) => `${formEncode(name)}=${formEncode(value)}`).join('&');
}

/** RFC 6749 appendix B. */
function formEncode(text: string): string {
  return new URLSearchParams([['', text]]).toString().slice(1);
}

/** RFC 6749 section 2.3.1: both parts are form-urlencoded before they are joined. */
export function basic({ clientId, clientSecret }: ClientCredentials): string {
  return basicOf(`${formEncode(clientId)}:${formEncode(clientSecret)}`);
}

/** Creates a request that authenticates by Basic. */
export const byBasic = (client: ClientCredentials, form: TokenRequest['form'] = [grant]): TokenRequest => ({
  authorization: basic(client),
  form,
});

/** Returns a Basic header of unmodified text. */
export function basicOf(text: string): string {
  return `Basic ${Buffer.from(text).toString('base64')}`;
}

/** Returns the credentials as form parameters. */
export function post({ clientId, clientSecret }: ClientCredentials) {
  return [['client_id', clientId] as const, ['client_secret', clientSecret] as const];
}

/** Returns the result of a token request: `200`, or the status and the error, such as `400 invalid_scope`. */
export async function outcomeOf(request: TokenRequest): Promise<string> {
  const { status, text } = await requestToken(request);
  const { error } = JSON.parse(text) as { readonly error?: string };
  return error === undefined ? String(status) : `${status} ${error}`;
}

interface TokenResponse {
  readonly access_token: string;
  readonly token_type: string;
  readonly expires_in: number;
  readonly scope: string;
}

/**
 * Returns the body of a successful response.
 *
 * @throws {Error} with the response, if it is an error
 */
export function tokenResponse(response: HttpResponse): TokenResponse {
  if (response.status !== 200) {
    throw new Error(`The token endpoint responded with ${response.status}: ${response.text}`);
  }
  return JSON.parse(response.text) as TokenResponse;
}
