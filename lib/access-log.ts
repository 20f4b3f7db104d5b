/**
 * One line of JSON for each request. API Gateway puts values in as they are, without escaping, so every field is
 * one that a caller has no say in: the route instead of the path, and no user agent. Headers, queries and
 * bodies are left out for the credentials that they carry. `ip` is kept to trace abuse: callers are machines.
 */
const fields = {
  request_id: '$context.requestId',
  time: '$context.requestTime',
  ip: '$context.identity.sourceIp',
  route: '$context.routeKey',
  status: '$context.status',
  response_length: '$context.responseLength',
  response_latency_ms: '$context.responseLatency',
  integration_status: '$context.integrationStatus',
  integration_latency_ms: '$context.integrationLatency',
  integration_error: '$context.integrationErrorMessage',
  error: '$context.error.responseType',
} as const;

/** Format of the API's access log (API Gateway, "Customize HTTP API access logs"). */
export const accessLogFormat = JSON.stringify(fields);
