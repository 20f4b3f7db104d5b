import * as v from 'valibot';
import type { Answers } from '../../../contract/bodies/errors.ts';
import { answerWithinMilliseconds } from '../../../contract/limits.ts';
import type { Log, LogFields } from '../log/log.ts';
import type { MetricValues, SyncRefusal, TokenRefusal } from '../log/metrics.ts';
import { type Deadline, withinDeadline } from './deadline.ts';
import {
  answerUnexpectedError,
  type Handler,
  type Headers,
  type HttpAnswer,
  type HttpEvent,
  internalErrorBody,
  jsonAnswer,
  requestFields,
} from './messages.ts';
import { type KnownClient, Refusal } from './refusal.ts';

/** An endpoint that answers with a JSON body. */
export interface Endpoint<Code extends TokenRefusal | SyncRefusal> {
  /** Schemas of the bodies that the endpoint may answer with, by status. Any other answer becomes a 500. */
  readonly answers: Answers;
  /** Headers of every answer. */
  readonly headers: Headers;
  /**
   * Does the work and returns the body of the 200.
   *
   * @throws {Refusal} when the request is refused
   */
  readonly serve: (request: EndpointRequest) => Promise<unknown>;
  /** The message of a refusal in the log, and its metrics. */
  readonly refused: {
    readonly message: 'tokenRefused' | 'requestRefused';
    readonly values?: ((refusal: Code) => MetricValues) | undefined;
  };
}

/** A request that is being served. */
export interface EndpointRequest {
  readonly event: HttpEvent;
  /** Set it as soon as the client is known: the log then names it. */
  client: KnownClient | undefined;
  /** Does work in what is left of the time for the answer. */
  readonly withinDeadline: <Value>(work: (deadline: Deadline) => Value | Promise<Value>) => Promise<Value>;
}

export interface EndpointDependencies {
  readonly log: Log;
  /** Milliseconds within which to answer. */
  readonly answerWithinMilliseconds?: number;
}

/** The handler of an endpoint: it answers in time, logs what was refused or failed, and checks each body. Never throws. */
export function createEndpointHandler<Code extends TokenRefusal | SyncRefusal>(
  endpoint: Endpoint<Code>,
  { log, answerWithinMilliseconds: limit = answerWithinMilliseconds }: EndpointDependencies,
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
      if (error instanceof Refusal) {
        logRefusal(error, request, endpoint, log);
        return respond(request, error, endpoint, log);
      }
      return answerUnexpectedError(error, event, log, endpoint.headers, clientFields(request.client));
    }
  };
}

function logRefusal<Code extends TokenRefusal | SyncRefusal>(
  { status, refusal, reason, client, fileId }: Refusal<Code>,
  request: EndpointRequest,
  { refused }: Endpoint<Code>,
  log: Log,
): void {
  const fields = {
    ...requestFields(request.event),
    ...clientFields(request.client ?? client),
    file_id: fileId,
    status,
    refusal,
    reason,
  };
  log('WARN', refused.message, fields, refused.values?.(refusal));
}

/** Fields of every line about a request. The client is one that we know, never another text of the caller. */
function clientFields(client: Partial<KnownClient> | undefined): LogFields {
  return client ? { client_id: client.clientId, organisation_id: client.organisationId } : {};
}

interface Outcome {
  readonly status: number;
  readonly body: unknown;
  readonly headers?: Headers;
}

/** Answers with a body that matches its schema, or with 500 when it does not (docs/api.md 11.5). */
function respond(
  { event, client }: EndpointRequest,
  { status, body, headers }: Outcome,
  { answers, headers: common }: Pick<Endpoint<never>, 'answers' | 'headers'>,
  log: Log,
): HttpAnswer {
  const schema = answers[status];
  const result = schema === undefined ? undefined : v.safeParse(schema, body);
  if (result?.success) {
    return jsonAnswer(status, result.output, { ...common, ...headers });
  }
  log('ERROR', 'answerMismatch', {
    ...requestFields(event),
    ...clientFields(client),
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
