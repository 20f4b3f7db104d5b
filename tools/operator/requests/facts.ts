import * as v from 'valibot';
import { routeKey, routes } from '../../../contract/routes.ts';
import { syncRefusals, tokenRefusals } from '../../../lambdas/shared/log/metrics.ts';
import type { LogLine } from './logs.ts';

const text = v.optional(v.string());
const statusSchema = v.pipe(v.union([v.string(), v.number()]), v.transform(Number));

/** The members of log lines that a story is made from: lib/access-log.ts, and the lines of the functions. */
const factsSchema = v.object({
  route: text,
  status: statusSchema,
  ip: text,
  client_id: text,
  organisation_id: text,
  file_id: text,
  upload_id: text,
  refusal: v.optional(v.picklist([...tokenRefusals, ...syncRefusals])),
  reason: text,
  error_name: text,
  error_message: text,
  aws_request_id: text,
  response_latency_ms: text,
  integration_error: text,
});

/** What the logs say about a request. */
export type RequestFacts = v.InferOutput<typeof factsSchema>;

/** Joins the line of the access log and the line of the function. API Gateway writes `-` for what it does not know. */
export function factsOf(access: LogLine, ofFunction: LogLine | undefined): RequestFacts {
  const known = Object.entries(access.members).filter(([, value]) => value !== '-');
  return v.parse(factsSchema, { ...ofFunction?.members, ...Object.fromEntries(known) });
}

/** The name of a route, from its key in a log. Undefined when the API has no such route. */
export function routeNamed(key: unknown): keyof typeof routes | undefined {
  const names = Object.keys(routes) as (keyof typeof routes)[];
  return names.find((name) => routeKey(routes[name]) === key);
}
