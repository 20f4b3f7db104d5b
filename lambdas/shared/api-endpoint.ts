import * as v from 'valibot';
import type { Answers } from '../../contract/bodies.ts';
import type { Scope } from '../../contract/scopes.ts';
import type { MetricValues } from '../../storage/metrics.ts';
import type { Caller, VerifyAccessToken } from './access-token.ts';
import { readBearerToken } from './access-token.ts';
import { ApiError } from './api-error.ts';
import { answerWithinMilliseconds } from './aws-clients.ts';
import { type Deadline, withinDeadline } from './deadline.ts';
import {
  answerUnexpectedError,
  type Headers,
  type HttpAnswer,
  type HttpEvent,
  internalErrorBody,
  jsonAnswer,
  noStore,
} from './http-messages.ts';
import type { Log } from './log.ts';

export interface ApiEndpoint<Body> {
  readonly requiredScope: Scope;
  /** Schemas of the bodies that the endpoint may answer with, by status. Any other answer becomes a 500. */
  readonly answers: Answers;
  /**
   * Does the work and returns the body of the 200; as a promise only if it waits for something. Called only for a caller
   * that has the scope. When the deadline is over, the caller has already been answered 500, and the work must store
   * nothing more.
   */
  readonly act: (
    caller: Caller,
    event: HttpEvent,
    deadline: Pick<Deadline, 'signal'>,
  ) => Body | Promise<Body>;
  /** Metrics of a refusal. Absent: API Gateway's own metrics are enough. */
  readonly refused?: (refusal: ApiError['refusal']) => MetricValues;
}

export interface ApiDependencies {
  readonly verifyAccessToken: VerifyAccessToken;
  readonly log: Log;
  /** Milliseconds within which to answer. */
  readonly answerWithinMilliseconds?: number;
}

/** The handler of one API endpoint: authenticate, authorise, act, respond. Never throws. */
export function createApiHandler<Body>(endpoint: ApiEndpoint<Body>, dependencies: ApiDependencies) {
  const { log } = dependencies;

  return async (event: HttpEvent): Promise<HttpAnswer> => {
    try {
      const body = await serve(event, endpoint, dependencies);
      return respond(event, { status: 200, body }, endpoint, log);
    } catch (error) {
      if (error instanceof ApiError) {
        const fields = {
          request_id: event.requestContext.requestId,
          route: event.routeKey,
          status: error.status,
          reason: error.reason,
        };
        log('WARN', 'requestRefused', fields, endpoint.refused?.(error.refusal));
        return respond(event, error, endpoint, log);
      }
      return answerUnexpectedError(error, event, log);
    }
  };
}

/**
 * Verifying waits for the network only to load the key set, and the cache bounds that (`loadWithinMilliseconds`). So the
 * deadline is for the rest.
 */
async function serve<Body>(
  event: HttpEvent,
  { requiredScope, act }: ApiEndpoint<Body>,
  { verifyAccessToken, answerWithinMilliseconds: limit = answerWithinMilliseconds }: ApiDependencies,
): Promise<Body> {
  const startedAt = performance.now();
  const caller = await verifyAccessToken(readBearerToken(event.headers.authorization));
  if (!caller.scopes.has(requiredScope)) {
    throw ApiError.insufficientScope(requiredScope);
  }
  const left = Math.ceil(limit - (performance.now() - startedAt));
  return withinDeadline(left, (deadline) => act(caller, event, deadline));
}

interface Outcome {
  readonly status: number;
  readonly body: unknown;
  readonly headers?: Headers;
}

/** Answers with a body that matches its schema, or with 500 when it does not (docs/api.md 11.5). */
function respond(
  event: HttpEvent,
  { status, body, headers = {} }: Outcome,
  { answers }: Pick<ApiEndpoint<unknown>, 'answers'>,
  log: Log,
): HttpAnswer {
  const schema = answers[status];
  const result = schema === undefined ? undefined : v.safeParse(schema, body);
  if (result?.success) {
    return jsonAnswer(status, result.output, { ...noStore, ...headers });
  }
  log('ERROR', 'answerMismatch', {
    request_id: event.requestContext.requestId,
    route: event.routeKey,
    status,
    mismatches: describeMismatches(result?.issues ?? []),
  });
  return jsonAnswer(500, internalErrorBody, noStore);
}

/** Where the body does not match, and what was expected there. The value that was found is left out. */
function describeMismatches(issues: readonly v.BaseIssue<unknown>[]) {
  return issues.map((issue) => ({
    path: v.getDotPath(issue) ?? '(body)',
    kind: issue.type,
    expected: issue.expected,
  }));
}
