import { type InvokeFunction, type InvokeResult, tooLargePayload } from '../lambda/invoke.ts';
import { maxWait } from '../shared/concurrency.ts';
import type { HttpApi, ThrottleLimits } from './http-api.ts';
import { type EventSettings, type GatewayRequest, toEvent } from './request-event.ts';
import { type GatewayResponse, gatewayResponses, toResponse } from './response.ts';
import { matchRoute, type RouteMatch } from './routes.ts';

/** The response to a request, and what the access log says about the request. */
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
  /** Whether the throttle lets one more request of a route pass. */
  readonly mayPass: (routeKey: string) => boolean;
  /** Milliseconds. */
  readonly now: () => number;
}

/** A request without its body. The head of a request decides whether its body is read. */
export type RequestHead = Omit<GatewayRequest, 'body'>;

/** Finds the route of a request. For a request that no function gets, finds the response of the gateway. */
export function admit(head: RequestHead, dependencies: GatewayDependencies): RouteMatch | Outcome {
  try {
    const match = matchRoute(dependencies.api.routes, head.method, head.path);
    if (!match) {
      return { response: gatewayResponses.notFound };
    }
    if (dependencies.mayPass(match.route.routeKey)) {
      return match;
    }
    return { response: gatewayResponses.tooManyRequests, routeKey: match.route.routeKey };
  } catch (error) {
    if (error instanceof URIError) {
      return { response: gatewayResponses.badRequest };
    }
    throw error;
  }
}

/** Invokes the function of the route, and translates the response. The promise does not reject, whatever a client sends. */
export async function callFunction(
  request: GatewayRequest,
  match: RouteMatch,
  settings: EventSettings,
  dependencies: GatewayDependencies,
): Promise<Outcome> {
  const { routeKey, functionName, timeoutMilliseconds } = match.route;
  const event = toEvent(request, match, settings);
  const startedAt = dependencies.now();
  const invocation = dependencies.invoke(functionName, event).catch(noSuchFunction);
  const result = await maxWait(timeoutMilliseconds, invocation);
  const integrationLatency = Math.round(dependencies.now() - startedAt);
  const failed = (response: GatewayResponse, integrationError: string): Outcome => ({
    response,
    routeKey,
    integrationLatency,
    integrationError,
  });
  if (!result) {
    return failed(gatewayResponses.unavailable, 'Timed out');
  }
  if (!result.ok) {
    const { errorType } = result.error;
    const isTooLarge = errorType === tooLargePayload.error.errorType;
    return failed(isTooLarge ? gatewayResponses.entityTooLarge : gatewayResponses.internalError, errorType);
  }
  const response = toResponse(result.payload);
  if (!response) {
    return failed(gatewayResponses.internalError, 'Malformed Lambda proxy response');
  }
  return { response, routeKey, integrationLatency };
}

function noSuchFunction(error: unknown): InvokeResult {
  return { ok: false, error: { errorType: 'ResourceNotFoundException', errorMessage: String(error) } };
}

/**
 * The throttles of an API. Amazon's page does not say whether a request to a route with limits of its own also counts
 * against the limits of the stage. Here such a request counts, which is the harder case for a caller, unless the
 * throttle of the route has rejected it.
 *
 * @param now milliseconds
 * @returns whether one more request of a route may pass now
 */
export function createThrottles(
  { throttle, routeThrottles }: Pick<HttpApi, 'throttle' | 'routeThrottles'>,
  now: () => number,
): (routeKey: string) => boolean {
  const ofAll = throttle === undefined ? () => true : createThrottle(throttle, now);
  const ofRoute = new Map([...routeThrottles].map(([key, limits]) => [key, createThrottle(limits, now)]));
  return (routeKey) => (ofRoute.get(routeKey)?.() ?? true) && ofAll();
}

/**
 * A token bucket, as API Gateway throttles a stage ("Throttle requests to your HTTP APIs").
 *
 * @param now milliseconds
 * @returns whether one more request may pass now
 */
export function createThrottle({ rate, burst }: ThrottleLimits, now: () => number): () => boolean {
  let tokens = burst;
  let filledAt = now();
  return () => {
    const time = now();
    tokens = Math.min(burst, tokens + ((time - filledAt) / 1000) * rate);
    filledAt = time;
    if (tokens < 1) {
      return false;
    }
    tokens -= 1;
    return true;
  };
}
