import { ApiError } from './api-error.ts';

/** RFC 6750 section 2.1: the scheme, in any case (RFC 9110 section 11.1), spaces, and a b64token. */
const bearerCredentials = /^bearer +([A-Za-z0-9._~+/-]+=*)$/i;

/**
 * Takes the access token out of the Authorization header. A token anywhere else is no token.
 *
 * @throws {ApiError} 401; without an error code when the request carries no bearer credentials at all
 */
export function readBearerToken(authorization: string | undefined): string {
  if (authorization === undefined || !/^bearer(?: |$)/i.test(authorization)) {
    throw ApiError.noToken();
  }
  const token = bearerCredentials.exec(authorization)?.[1];
  if (token === undefined) {
    throw ApiError.invalidToken('The Authorization header is malformed');
  }
  return token;
}
