/** Part of a route's path: literal text, or the name of a parameter that matches any text. */
type PathSegment = { readonly text: string } | { readonly parameter: string };

export interface RouteKey {
  readonly method: string;
  readonly segments: readonly PathSegment[];
}

/** A route of the API and its function. */
export interface Route extends RouteKey {
  /** Route key in the template: `POST /things/{id}/act`. */
  readonly routeKey: string;
  readonly functionName: string;
  /** Maximum time of an invocation, in milliseconds. */
  readonly timeoutMilliseconds: number;
}

/** Route of a request, with its path parameters. */
export interface RouteMatch {
  readonly route: Route;
  readonly pathParameters: Readonly<Record<string, string>>;
}

/**
 * Parses a route key such as `POST /things/{id}/act`.
 *
 * @returns undefined for an unsupported route key, such as the catch-all forms `$default`, `ANY` and
 * `{name+}`
 */
export function parseRouteKey(routeKey: string): RouteKey | undefined {
  const [, method, path = ''] = /^(GET|POST|PUT|PATCH|DELETE|HEAD|OPTIONS) (\/\S*)$/.exec(routeKey) ?? [];
  if (method === undefined) {
    return undefined;
  }
  const segments = path.slice(1).split('/').map(parseSegment);
  const known = segments.filter((segment) => segment !== undefined);
  return known.length === segments.length ? { method, segments: known } : undefined;
}

function parseSegment(segment: string): PathSegment | undefined {
  const parameter = /^\{([A-Za-z0-9._-]+)\}$/.exec(segment)?.[1];
  if (parameter !== undefined) {
    return { parameter };
  }
  return /[{}]/.test(segment) ? undefined : { text: segment };
}

/**
 * Finds the route of a request. The path is split before its parts are decoded: an encoded slash stays within
 * its parameter. Among several routes, the route with the most literal parts wins (API Gateway, "Routing API
 * requests").
 *
 * @param path path as sent, without the query
 * @returns undefined when no route matches this method and path
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
  if (expected.length !== segments.length) {
    return undefined;
  }
  const parameters: Record<string, string> = {};
  for (const [index, part] of expected.entries()) {
    const segment = segments[index] ?? '';
    if ('text' in part) {
      if (part.text !== segment) {
        return undefined;
      }
    } else {
      if (segment === '') {
        return undefined;
      }
      parameters[part.parameter] = segment;
    }
  }
  return parameters;
}

function parameterCount(route: Route): number {
  return route.segments.filter((segment) => 'parameter' in segment).length;
}
