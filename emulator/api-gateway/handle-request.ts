import type { InvokeFunction } from '../lambda/invoke.ts';
import type { HttpApi } from './http-api.ts';
import { matchRoute, type RouteMatch } from './match-route.ts';
import { type EventSettings, type GatewayRequest, toEvent } from './request-event.ts';
import { type GatewayResponse, gatewayAnswers, toResponse } from './response.ts';

/** What becomes of a request, and what the access log tells of it. */
export interface Outcome {
  readonly response: GatewayResponse;
  readonly routeKey?: string;
  /** Milliseconds in the function. */
  readonly integrationLatency?: number;
  readonly integrationError?: string;
}

export interface GatewayDependencies {
  readonly api: HttpApi;
  readonly invoke: InvokeFunction;
  readonly mayPass: () => boolean;
  /** Milliseconds. */
  readonly now: () => number;
}

/** A request before its body: the part that decides whether the body is wanted. */
export type RequestHead = Omit<GatewayRequest, 'body'>;

/** Finds the route of a request, or the gateway's own answer to one that goes nowhere. */
export function admit(head: RequestHead, dependencies: GatewayDependencies): RouteMatch | Outcome {
  try {
    const match = matchRoute(dependencies.api.routes, head.method, head.path);
    if (!match) return { response: gatewayAnswers.notFound };
    if (dependencies.mayPass()) return match;
    return { response: gatewayAnswers.tooManyRequests, routeKey: match.route.routeKey };
  } catch (error) {
    if (error instanceof URIError) return { response: gatewayAnswers.badRequest };
    throw error;
  }
}

/** Invokes the route's function and translates its answer. Never rejects for what a client sent. */
export async function callFunction(
  request: GatewayRequest,
  match: RouteMatch,
  settings: EventSettings,
  dependencies: GatewayDependencies,
): Promise<Outcome> {
  const { routeKey, functionName, timeoutMilliseconds } = match.route;
  const event = toEvent(request, match, settings);
  const startedAt = dependencies.now();
  const result = await within(timeoutMilliseconds, dependencies.invoke(functionName, event));
  const integrationLatency = Math.round(dependencies.now() - startedAt);
  const failed = (response: GatewayResponse, integrationError: string): Outcome => ({
    response,
    routeKey,
    integrationLatency,
    integrationError,
  });
  if (!result) return failed(gatewayAnswers.unavailable, 'Timed out');
  if (!result.ok) return failed(answerToFailure(result.error.errorType), result.error.errorType);
  const response = toResponse(result.payload);
  if (!response) return failed(gatewayAnswers.internalError, 'Malformed Lambda proxy response');
  return { response, routeKey, integrationLatency };
}

/** A function without concurrency left is unavailable; one that failed is an internal error. */
function answerToFailure(errorType: string): GatewayResponse {
  return errorType === 'TooManyRequestsException' ? gatewayAnswers.unavailable : gatewayAnswers.internalError;
}

/** Resolves with undefined when the time is up; the function goes on, as it would in Lambda. */
async function within<T>(milliseconds: number, promise: Promise<T>): Promise<T | undefined> {
  let timer: NodeJS.Timeout | undefined;
  const timeout = new Promise<undefined>((resolve) => {
    timer = setTimeout(() => resolve(undefined), milliseconds);
  });
  try {
    return await Promise.race([promise, timeout]);
  } finally {
    clearTimeout(timer);
  }
}
