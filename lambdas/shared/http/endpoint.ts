import * as v from 'valibot';
import type { ResponseSchemas } from '../../../contract/bodies/errors.ts';
import { internalErrorBody } from '../../../contract/bodies/internal-error.ts';
import type { MetricValues, SyncRejection, TokenRejection } from '../../../contract/internal/metrics.ts';
import type { RequestLogField, rejectionMessages } from '../../../contract/internal/request-log.ts';
import { respondWithinMilliseconds } from '../../../contract/limits.ts';
import type { Log, LogFields } from '../log/log.ts';
import { type Deadline, withinDeadline } from './deadline.ts';
import {
  type Handler,
  type Headers,
  type HttpEvent,
  type HttpResponse,
  jsonResponse,
  requestFields,
  respondToUnexpectedError,
} from './messages.ts';
import { type KnownClient, Rejection, type RejectionParts } from './rejection.ts';

/** An endpoint that responds with a JSON body. */
export interface Endpoint<Code extends TokenRejection | SyncRejection> {
  /** Schemas of the response bodies, by status. A body that matches none becomes a 500. */
  readonly responses: ResponseSchemas;
  /** Headers of every response. */
  readonly headers: Headers;
  /**
   * Does the work and returns the body of the 200.
   *
   * @throws {Rejection} if the request is rejected
   */
  readonly serve: (request: EndpointRequest) => Promise<unknown>;
  /** Log message of a rejection, and its metrics. */
  readonly rejected: {
    readonly message: (typeof rejectionMessages)[keyof typeof rejectionMessages];
    readonly values?: ((rejection: Code) => MetricValues) | undefined;
  };
}

/** A request in progress. */
interface EndpointRequest {
  readonly event: HttpEvent;
  /** Client of the request, for the log. Set it as soon as the client is known. */
  client: KnownClient | undefined;
  /** Does work in the rest of the time for the response. */
  readonly withinDeadline: <Value>(work: (deadline: Deadline) => Value | Promise<Value>) => Promise<Value>;
}

export interface EndpointDependencies {
  readonly log: Log;
  /** Limit for the response, in milliseconds. */
  readonly respondWithinMilliseconds?: number;
}

/**
 * Creates the handler of an endpoint: it responds in time, logs rejections and failures, and checks each
 * body. The handler never throws.
 */
export function createEndpointHandler<Code extends TokenRejection | SyncRejection>(
  endpoint: Endpoint<Code>,
  { log, respondWithinMilliseconds: limit = respondWithinMilliseconds }: EndpointDependencies,
): Handler {
  return async (event) => {
    // Not `performance.now()`: reading that global loads nine modules of Node.js at a cold start.
    const startedAt = process.hrtime.bigint();
    const millisecondsLeft = () => Math.ceil(limit - Number(process.hrtime.bigint() - startedAt) / 1e6);
    const request: EndpointRequest = {
      event,
      client: undefined,
      withinDeadline: (work) => withinDeadline(millisecondsLeft(), work),
    };
    try {
      return respond(request, { status: 200, body: await endpoint.serve(request) }, endpoint, log);
    } catch (error) {
      if (error instanceof Rejection) {
        logRejection(error.parts, request, endpoint, log);
        return respond(request, error.parts, endpoint, log);
      }
      return respondToUnexpectedError(error, event, log, endpoint.headers, clientFields(request.client));
    }
  };
}

function logRejection<Code extends TokenRejection | SyncRejection>(
  { status, rejection, reason, tokenProblem, claim, client, fileId }: RejectionParts<Code>,
  request: EndpointRequest,
  { rejected }: Endpoint<Code>,
  log: Log,
): void {
  const fields = {
    ...requestFields(request.event),
    ...clientFields(request.client ?? client),
    file_id: fileId,
    status,
    rejection,
    reason,
    token_problem: tokenProblem,
    claim,
  } satisfies { [Field in RequestLogField]?: unknown };
  log('WARN', rejected.message, fields, rejected.values?.(rejection));
}

/**
 * Returns the client fields of every line about a request. The client is a known one, never other text of the
 * caller.
 */
function clientFields(client: Partial<KnownClient> | undefined): LogFields {
  return client ? { client_id: client.clientId, organisation_id: client.organisationId } : {};
}

interface Outcome {
  readonly status: number;
  readonly body: unknown;
  readonly headers?: Headers;
}

/** Responds with a body that matches its schema, or with 500 if it does not (docs/api.md 11.5). */
function respond(
  { event, client }: EndpointRequest,
  { status, body, headers }: Outcome,
  { responses, headers: common }: Pick<Endpoint<never>, 'responses' | 'headers'>,
  log: Log,
): HttpResponse {
  const schema = responses[status];
  const result = schema === undefined ? undefined : v.safeParse(schema, body);
  if (result?.success) {
    return jsonResponse(status, result.output, { ...common, ...headers });
  }
  log('ERROR', 'responseMismatch', {
    ...requestFields(event),
    ...clientFields(client),
    status,
    mismatches: describeMismatches(result?.issues ?? []),
  });
  return jsonResponse(500, internalErrorBody, common);
}

/** Returns the place of a mismatch in the body, and the expected value. The actual value is left out. */
function describeMismatches(issues: readonly v.BaseIssue<unknown>[]) {
  return issues.map((issue) => ({
    path: v.getDotPath(issue) ?? '(body)',
    kind: issue.type,
    expected: issue.expected,
  }));
}
