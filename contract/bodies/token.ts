import * as v from 'valibot';
import { described, errorDescription, internalErrorSchema } from './errors.ts';

/** docs/api.md 4.1. */
export const tokenSchema = v.object({
  access_token: described(v.string(), 'Signed access token (RFC 9068)'),
  token_type: v.literal('Bearer'),
  expires_in: described(v.pipe(v.number(), v.integer(), v.minValue(1)), 'Lifetime in seconds'),
  scope: described(v.string(), 'Space-separated scopes granted'),
});

/** docs/api.md 4.8. The error codes of RFC 6749 section 5.2 that the token endpoint uses. */
export const tokenErrorSchema = v.object({
  error: v.picklist(['invalid_request', 'invalid_client', 'unsupported_grant_type', 'invalid_scope']),
  error_description: errorDescription,
});

/** The one body for every client that is not authenticated (docs/api.md 4.8). It does not reveal the wrong part. */
export const invalidClientBody = {
  error: 'invalid_client',
  error_description: 'The client id or client secret is missing or wrong, or the client is revoked',
} as const;

/** Response bodies of `POST /oauth/token`, by status. */
export const tokenResponses = {
  200: tokenSchema,
  400: tokenErrorSchema,
  401: tokenErrorSchema,
  500: internalErrorSchema,
} as const;

export type Token = v.InferOutput<typeof tokenSchema>;
export type TokenErrorCode = v.InferOutput<typeof tokenErrorSchema>['error'];
