import { type InvokeFunction, tooLargePayload } from '../lambda/invoke.ts';
import { withTimeout } from '../shared/concurrency.ts';
import type { HttpApi, ThrottleLimits } from './http-api.ts';
import { type EventSettings, type GatewayRequest, toEvent } from './request-event.ts';
import { type GatewayResponse, gatewayResponses, toResponse } from './response.ts';
import { matchRoute, type RouteMatch } from './routes.ts';

/** Response to a request, with the details that the access log records. */
export interface GatewayOutcome {
  readonly response: GatewayResponse;
  readonly routeKey?: string;
  /** Milliseconds in the function. */
  readonly integrationLatency?: number;
  readonly integrationError?: string;
}

export interface GatewayDependencies {
  readonly api: HttpApi;
  readonly invoke: InvokeFunction;
  /** Returns true if the throttle allows another request to a route. */
  readonly mayPass: (routeKey: string) => boolean;
  /** Milliseconds. */
  readonly now: () => number;
}

/**
 * A request without its body. The gateway reads the head first and decides from it whether to read the body.
 */
export type RequestHead = Omit<GatewayRequest, 'body'>;

/** Finds the route of a request, or creates the gateway's own response if no function handles the request. */
export function admit(head: RequestHead, dependencies: GatewayDependencies): RouteMatch | GatewayOutcome {
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

/**
 * Invokes the function of the route and translates its response. The promise never rejects, for any input of
 * a client: a route without a function stops the start.
 */
export async function callFunction(
  request: GatewayRequest,
  match: RouteMatch,
  settings: EventSettings,
  dependencies: GatewayDependencies,
): Promise<GatewayOutcome> {
  const { routeKey, functionName, timeoutMilliseconds } = match.route;
  const event = toEvent(request, match, settings);
  const startedAt = dependencies.now();
  const result = await withTimeout(timeoutMilliseconds, dependencies.invoke(functionName, event));
  const integrationLatency = Math.round(dependencies.now() - startedAt);
  const failed = (response: GatewayResponse, integrationError: string): GatewayOutcome => ({
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

/**
 * Creates the throttles of an API. The documentation of API Gateway leaves open if a request to a route with
 * its own limits also counts against the limits of the stage. Here such a request counts, which is stricter
 * for callers, unless the throttle of the route rejected it.
 *
 * @param now milliseconds
 * @returns true if the route may take another request now
 */
export function createThrottles(
  { throttle, routeThrottles }: Pick<HttpApi, 'throttle' | 'routeThrottles'>,
  now: () => number,
): (routeKey: string) => boolean {
  const ofAll = createThrottle(throttle, now);
  const ofRoute = new Map([...routeThrottles].map(([key, limits]) => [key, createThrottle(limits, now)]));
  return (routeKey) => (ofRoute.get(routeKey)?.() ?? true) && ofAll();
}

/**
 * Creates a token bucket, as API Gateway throttles a stage ("Throttle requests to your HTTP APIs").
 *
 * @param now milliseconds
 * @returns true if another request may pass now
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
