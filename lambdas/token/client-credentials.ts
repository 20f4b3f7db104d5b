import { decodeFormText, type Form } from './form.ts';
import { TokenError } from './token-error.ts';

/** What a request presents to authenticate its client; still to be checked. */
export interface ClientCredentials {
  readonly clientId: string;
  readonly clientSecret: string;
}

/** How a request authenticates: well-formed credentials, or none that could be right. */
export type PresentedCredentials = ClientCredentials | undefined;

/**
 * Finds the client credentials of a request: HTTP Basic, or the form (RFC 6749 section 2.3.1), never both.
 *
 * @returns undefined when there are none, or when they are malformed
 * @throws {TokenError} `invalid_request` for two ways of authenticating, or two different clients, in one request
 */
export function readClientCredentials(authorization: string | undefined, form: Form): PresentedCredentials {
  const clientId = form.get('client_id');
  const clientSecret = form.get('client_secret');

  // An empty header presents nothing.
  if (!authorization) {
    return clientId === undefined || clientSecret === undefined ? undefined : { clientId, clientSecret };
  }
  // RFC 6749 section 2.3: one method of authentication in each request.
  if (clientSecret !== undefined) {
    throw TokenError.invalidRequest('Authenticate the client in one way only: HTTP Basic or the form');
  }
  const basic = parseBasic(authorization);
  if (basic !== undefined && clientId !== undefined && clientId !== basic.clientId) {
    throw TokenError.invalidRequest('client_id differs from the client id of HTTP Basic');
  }
  return basic;
}

/** RFC 7617 section 2: the scheme in any case, then base64 with its padding. */
const basicCredentials = /^basic +([A-Za-z0-9+/]+={0,2})$/i;

function parseBasic(authorization: string): PresentedCredentials {
  const encoded = basicCredentials.exec(authorization)?.[1];
  const pair = encoded === undefined ? undefined : decodeBase64(encoded);
  const colon = pair?.indexOf(':') ?? -1;
  if (pair === undefined || colon === -1) {
    return undefined;
  }
  // RFC 6749 section 2.3.1: each part was form-urlencoded before it went into Basic.
  const clientId = decodeFormText(pair.slice(0, colon));
  const clientSecret = decodeFormText(pair.slice(colon + 1));
  return clientId && clientSecret ? { clientId, clientSecret } : undefined;
}

function decodeBase64(encoded: string): string | undefined {
  const bytes = Buffer.from(encoded, 'base64');
  // Node skips what it cannot decode, so only text that encodes back to itself was base64.
  if (bytes.toString('base64') !== encoded) {
    return undefined;
  }
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return undefined;
  }
}
