import * as v from 'valibot';
import type { Answers } from '../../../contract/bodies.ts';
import type { Scope } from '../../../contract/scopes.ts';
import { answerWithinMilliseconds } from '../aws-clients.ts';
import type { Log, LogFields } from '../log/log.ts';
import type { MetricValues } from '../log/metrics.ts';
import type { Caller, VerifyAccessToken } from '../tokens/access-token.ts';
import { readBearerToken } from '../tokens/access-token.ts';
import { ApiError, type KnownClient } from './api-error.ts';
import { type Deadline, withinDeadline } from './deadline.ts';
import {
  answerUnexpectedError,
  type Handler,
  type Headers,
  type HttpAnswer,
  type HttpEvent,
  internalErrorBody,
  jsonAnswer,
  noStore,
  requestFields,
} from './messages.ts';

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
  /** Headers of every answer. */
  readonly headers?: Headers;
  readonly log: Log;
  /** Milliseconds within which to answer. */
  readonly answerWithinMilliseconds?: number;
}

/** The handler of one API endpoint: authenticate, authorise, act, respond. Never throws. */
export function createApiHandler<Body>(endpoint: ApiEndpoint<Body>, dependencies: ApiDependencies): Handler {
  const { log, answerWithinMilliseconds: limit = answerWithinMilliseconds } = dependencies;
  const common: Headers = { ...noStore, ...dependencies.headers };

  return async (event) => {
    const startedAt = performance.now();
    let caller: Caller | undefined;
    try {
      caller = await dependencies.verifyAccessToken(readBearerToken(event.headers.authorization));
      const body = await serve(event, caller, endpoint, limit - (performance.now() - startedAt));
      return respond(event, { status: 200, body, caller }, endpoint, log, common);
    } catch (error) {
      if (error instanceof ApiError) {
        const fields = {
          ...requestFields(event),
          ...callFields(caller ?? error.client),
          status: error.status,
          refusal: error.refusal,
          reason: error.reason,
        };
        log('WARN', 'requestRefused', fields, endpoint.refused?.(error.refusal));
        const { status, body, headers } = error;
        return respond(event, { status, body, headers, caller }, endpoint, log, common);
      }
      return answerUnexpectedError(error, event, log, common, callFields(caller));
    }
  };
}

/** Fields of every line about a request. The client is that of a token that we signed, never a text of the caller. */
function callFields(client: KnownClient | undefined): LogFields {
  return client ? { client_id: client.clientId, organisation_id: client.organisationId } : {};
}

/**
 * Verifying waits for the network only to load the key set, and the cache bounds that (`loadWithinMilliseconds`). So the
 * deadline is for the rest.
 *
 * @param leftMilliseconds what verifying has left of the time for the answer
 */
async function serve<Body>(
  event: HttpEvent,
  caller: Caller,
  { requiredScope, act }: ApiEndpoint<Body>,
  leftMilliseconds: number,
): Promise<Body> {
  if (!caller.scopes.has(requiredScope)) {
    throw ApiError.insufficientScope(requiredScope);
  }
  return withinDeadline(Math.ceil(leftMilliseconds), (deadline) => act(caller, event, deadline));
}

interface Outcome {
  readonly status: number;
  readonly body: unknown;
  readonly headers?: Headers;
  readonly caller: Caller | undefined;
}

/** Answers with a body that matches its schema, or with 500 when it does not (docs/api.md 11.5). */
function respond(
  event: HttpEvent,
  { status, body, headers, caller }: Outcome,
  endpoint: Pick<ApiEndpoint<unknown>, 'answers'>,
  log: Log,
  common: Headers,
): HttpAnswer {
  const schema = endpoint.answers[status];
  const result = schema === undefined ? undefined : v.safeParse(schema, body);
  if (result?.success) {
    return jsonAnswer(status, result.output, { ...common, ...headers });
  }
  log('ERROR', 'answerMismatch', {
    ...requestFields(event),
    ...callFields(caller),
    status,
    mismatches: describeMismatches(result?.issues ?? []),
  });
  return jsonAnswer(500, internalErrorBody, common);
}

/** Where the body does not match, and what was expected there. The value that was found is left out. */
function describeMismatches(issues: readonly v.BaseIssue<unknown>[]) {
  return issues.map((issue) => ({
    path: v.getDotPath(issue) ?? '(body)',
    kind: issue.type,
    expected: issue.expected,
  }));
}
