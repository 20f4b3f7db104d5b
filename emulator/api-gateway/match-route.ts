import type { Route } from './http-api.ts';
import type { PathSegment } from './route-key.ts';

export interface RouteMatch {
  readonly route: Route;
  readonly pathParameters: Readonly<Record<string, string>>;
}

/**
 * Finds the route of a request. The path is split before it is decoded, so that an encoded slash stays within its
 * parameter; among several, the route with the most literal parts wins (API Gateway, "Routing API requests").
 *
 * @param path as sent, without the query
 * @returns undefined when no route has this method and path
 * @throws {URIError} when the percent-encoding is malformed
 */
export function matchRoute(routes: readonly Route[], method: string, path: string): RouteMatch | undefined {
  const segments = path.slice(1).split('/').map(decodeURIComponent);
  const matches = routes
    .filter((route) => route.method === method)
    .flatMap((route) => {
      const pathParameters = matchSegments(route.segments, segments);
      return pathParameters ? [{ route, pathParameters }] : [];
    });
  return matches.sort((left, right) => parameterCount(left.route) - parameterCount(right.route))[0];
}

function matchSegments(
  expected: readonly PathSegment[],
  segments: readonly string[],
): Record<string, string> | undefined {
  if (expected.length !== segments.length) return undefined;
  const parameters: Record<string, string> = {};
  for (const [index, part] of expected.entries()) {
    const segment = segments[index] ?? '';
    if ('text' in part) {
      if (part.text !== segment) return undefined;
    } else {
      if (segment === '') return undefined;
      parameters[part.parameter] = segment;
    }
  }
  return parameters;
}

function parameterCount(route: Route): number {
  return route.segments.filter((segment) => 'parameter' in segment).length;
}
