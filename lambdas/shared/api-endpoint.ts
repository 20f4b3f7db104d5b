import * as v from 'valibot';
import type { Answers } from '../../contract/bodies.ts';
import type { Scope } from '../../contract/scopes.ts';
import type { Caller, VerifyAccessToken } from './access-token.ts';
import { ApiError } from './api-error.ts';
import { answerWithinMs } from './aws-clients.ts';
import { readBearerToken } from './bearer-token.ts';
import { withinDeadline } from './deadline.ts';
import {
  type Headers,
  type HttpAnswer,
  type HttpEvent,
  internalErrorBody,
  jsonAnswer,
  noStore,
} from './http.ts';
import { describeError, type Log } from './log.ts';

export interface ApiEndpoint<Body> {
  readonly requiredScope: Scope;
  /** What the endpoint may answer, by status: nothing else leaves. */
  readonly answers: Answers;
  /**
   * Does the work and gives the body of the 200. Called only for a caller that has the scope. Once the signal is
   * aborted the caller has been answered, and the work must leave nothing behind.
   */
  readonly act: (caller: Caller, event: HttpEvent, signal: AbortSignal) => Promise<Body>;
}

export interface ApiDependencies {
  readonly verifyAccessToken: VerifyAccessToken;
  readonly log: Log;
  /** Milliseconds within which to answer. */
  readonly answerWithinMs?: number;
}

/** The handler of one API endpoint: authenticate, authorise, act, respond. Never throws. */
export function createApiHandler<Body>(endpoint: ApiEndpoint<Body>, dependencies: ApiDependencies) {
  const { verifyAccessToken, log } = dependencies;

  async function serve(event: HttpEvent, signal: AbortSignal): Promise<Body> {
    const caller = await verifyAccessToken(readBearerToken(event.headers.authorization));
    if (!caller.scopes.has(endpoint.requiredScope)) {
      throw ApiError.insufficientScope(endpoint.requiredScope);
    }
    return endpoint.act(caller, event, signal);
  }

  function respond(event: HttpEvent, status: number, body: unknown, headers: Headers = {}): HttpAnswer {
    const schema = endpoint.answers[status];
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
    return internalError;
  }

  return async (event: HttpEvent): Promise<HttpAnswer> => {
    try {
      const limit = dependencies.answerWithinMs ?? answerWithinMs;
      const body = await withinDeadline(limit, (signal) => serve(event, signal));
      return respond(event, 200, body);
    } catch (error) {
      if (error instanceof ApiError) {
        log('WARN', 'requestRefused', {
          request_id: event.requestContext.requestId,
          route: event.routeKey,
          status: error.status,
          reason: error.reason,
        });
        return respond(event, error.status, error.body, error.headers);
      }
      log('ERROR', 'requestFailed', {
        request_id: event.requestContext.requestId,
        route: event.routeKey,
        ...describeError(error),
      });
      return internalError;
    }
  };
}

const internalError: HttpAnswer = jsonAnswer(500, internalErrorBody, noStore);

/** Where the body does not match and what was expected there; never the value that was found. */
function describeMismatches(issues: readonly v.BaseIssue<unknown>[]) {
  return issues.map((issue) => ({
    path: v.getDotPath(issue) ?? '(body)',
    kind: issue.type,
    expected: issue.expected,
  }));
}
