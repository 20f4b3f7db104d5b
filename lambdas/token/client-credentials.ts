import { isUtf8 } from 'node:buffer';
import { TokenError } from './token-error.ts';
import { decodeFormText, type Form } from './token-form.ts';

/** The client id and secret of a request, not yet checked. */
export interface ClientCredentials {
  readonly clientId: string;
  readonly clientSecret: string;
}

/** Client credentials of a request; undefined if it contains none or they are malformed. */
export type PresentedCredentials = ClientCredentials | undefined;

/**
 * Finds the client credentials of a request: HTTP Basic, or the form (RFC 6749 section 2.3.1), never both.
 *
 * An Authorization header without Basic credentials is a failed attempt (RFC 6749 section 5.2), even with
 * credentials in the form: the header may be the wrong one, so the form does not replace it.
 *
 * @returns undefined if there are none, or they are malformed
 * @throws {TokenError} `invalid_request` for a request that authenticates in two ways, or that names two
 * clients
 */
export function readClientCredentials(authorization: string | undefined, form: Form): PresentedCredentials {
  const clientId = form.get('client_id');
  const clientSecret = form.get('client_secret');

  // An empty header counts as absent.
  if (!authorization) {
    return clientId === undefined || clientSecret === undefined ? undefined : { clientId, clientSecret };
  }
  const basic = parseBasic(authorization);
  if (basic === undefined) {
    return undefined;
  }
  // RFC 6749 section 2.3: a request uses one method of authentication only.
  if (clientSecret !== undefined) {
    throw TokenError.invalidRequest('Authenticate the client in one way only: HTTP Basic or the form');
  }
  if (clientId !== undefined && clientId !== basic.clientId) {
    throw TokenError.invalidRequest('client_id differs from the client id of HTTP Basic');
  }
  return basic;
}

/** RFC 7617 section 2: the scheme in upper or lower case, then base64 with its padding. */
const basicCredentials = /^basic +([A-Za-z0-9+/]+={0,2})$/i;

function parseBasic(authorization: string): PresentedCredentials {
  const encoded = basicCredentials.exec(authorization)?.[1];
  const pair = encoded === undefined ? undefined : decodeBase64(encoded);
  if (!pair?.includes(':')) {
    return undefined;
  }
  const colon = pair.indexOf(':');
  // RFC 6749 section 2.3.1: the client form-urlencodes each part before it joins them.
  const clientId = decodeFormText(pair.slice(0, colon));
  const clientSecret = decodeFormText(pair.slice(colon + 1));
  return clientId && clientSecret ? { clientId, clientSecret } : undefined;
}

function decodeBase64(encoded: string): string | undefined {
  const bytes = Buffer.from(encoded, 'base64');
  // Node skips characters that it cannot decode. Text was base64 only if it encodes back to itself.
  return bytes.toString('base64') === encoded && isUtf8(bytes) ? bytes.toString() : undefined;
}
