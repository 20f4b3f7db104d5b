/**
 * Reasons for rejecting a token request. Each is a value of the dimension `Reason`, so their number is
 * bounded.
 */
export const tokenRejections = [
  'malformed_credentials',
  'unknown_client',
  'revoked_client',
  'wrong_secret',
  'invalid_request',
  'unsupported_grant_type',
  'invalid_scope',
] as const;

/** Reasons for rejecting a sync request. */
export const syncRejections = [
  'no_token',
  'invalid_token',
  'expired_token',
  'insufficient_scope',
  'not_found',
  'sync_not_enabled',
] as const;

/** Problems of a token behind the rejection `invalid_token`. For the log only: clients get one response. */
export const tokenProblems = [
  'malformed',
  'forbidden_header',
  'unpublished_key',
  'wrong_signature',
  'wrong_claim',
  'missing_claim',
  'unverifiable',
] as const;

export type TokenProblem = (typeof tokenProblems)[number];
export type TokenRejection = (typeof tokenRejections)[number];
export type SyncRejection = (typeof syncRejections)[number];
