import * as v from 'valibot';
import { syncRejections, tokenProblems, tokenRejections } from '../../../contract/internal/metrics.ts';
import type { AccessLogField, RequestLogField } from '../../../contract/internal/request-log.ts';
import { type Route, routeKeysOf, routes } from '../../../contract/routes.ts';
import { timestamp } from '../../../storage/attributes.ts';
import type { LogLine } from './logs.ts';

const text = v.optional(v.string());

/** Schemas of members of log lines: of the access log, and of the functions. */
type Members = { readonly [Field in AccessLogField | RequestLogField]?: v.GenericSchema };

/** Members that the timeline of a request shows. */
const shownSchema = v.object({
  request_id: text,
  route: text,
  status: v.pipe(v.union([v.string(), v.number()]), v.transform(Number)),
  ip: text,
  client_id: text,
  organisation_id: text,
  file_id: text,
  upload_id: text,
  rejection: v.optional(v.picklist([...tokenRejections, ...syncRejections])),
  aws_request_id: text,
  response_latency_ms: text,
} satisfies Members);

/** Members that appear only in sentences. */
const causeSchema = v.object({
  reason: text,
  token_problem: v.optional(v.picklist(tokenProblems)),
  claim: text,
  error_name: text,
  error_message: text,
  integration_error: text,
} satisfies Members);

export type ShownFacts = v.InferOutput<typeof shownSchema>;

/** Data of a request in the logs. */
export type RequestFacts = ShownFacts & v.InferOutput<typeof causeSchema>;

/**
 * Merges the line of the access log and the line of the function. API Gateway writes `-` for an unknown
 * value.
 */
export function factsOf(access: LogLine, ofFunction: LogLine | undefined) {
  const known = Object.entries(access.members).filter(([, value]) => value !== '-');
  const members = { ...ofFunction?.members, ...Object.fromEntries(known) };
  const at = timestamp(new Date(access.at));
  return { at, shown: v.parse(shownSchema, members), cause: v.parse(causeSchema, members) };
}

/** Returns a route from its key in a log. Undefined if the API does not define the route. */
export function routeOf(key: unknown): Route | undefined {
  return Object.values(routes).find((route) => routeKeysOf(route).some((known) => known === key));
}
