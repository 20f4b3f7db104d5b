import type { AccessLogField } from '../contract/internal/request-log.ts';

/**
 * One line of JSON for each request. API Gateway does not escape values, so no field may contain text that
 * the caller chooses. The log contains the route instead of the path, and no user agent. Headers, queries and
 * bodies are left out because they contain credentials. `ip` is logged to trace abuse; callers are machines,
 * not people.
 */
const fields = {
  request_id: '$context.requestId',
  time: '$context.requestTime',
  ip: '$context.identity.sourceIp',
  // Host name of the request. API Gateway responds only to the names of the API.
  domain: '$context.domainName',
  route: '$context.routeKey',
  status: '$context.status',
  response_length: '$context.responseLength',
  response_latency_ms: '$context.responseLatency',
  integration_status: '$context.integrationStatus',
  integration_latency_ms: '$context.integrationLatency',
  integration_error: '$context.integrationErrorMessage',
  error: '$context.error.responseType',
} as const satisfies Record<AccessLogField, string> & Record<string, string>;

/** Format of the API's access log (API Gateway, "Customize HTTP API access logs"). */
export const accessLogFormat = JSON.stringify(fields);
