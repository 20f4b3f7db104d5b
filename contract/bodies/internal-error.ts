/**
 * Body for an unexpected failure (docs/api.md 11.5), without detail. API Gateway adds the request id as a
 * header (`apigw-requestid`), by which an operator finds the log line.
 */
export const internalErrorBody = {
  error: 'internal_error',
  error_description: 'The request failed for a reason on our side; try again later',
} as const;
