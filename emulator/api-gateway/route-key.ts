/** A part of a route's path: text to match, or the name of a parameter that takes any one part. */
export type PathSegment = { readonly text: string } | { readonly parameter: string };

export interface RouteKey {
  readonly method: string;
  readonly segments: readonly PathSegment[];
}

/**
 * Parses a route key, e.g. `POST /v0/files/{fileId}/sync`. The catch-all forms (`$default`, `ANY`, `{name+}`) are
 * not known: an API whose every route is named has no use for them.
 */
export function parseRouteKey(routeKey: string): RouteKey | undefined {
  const match = /^(GET|POST|PUT|PATCH|DELETE|HEAD|OPTIONS) (\/\S*)$/.exec(routeKey);
  const [, method, path] = match ?? [];
  if (method === undefined || path === undefined) return undefined;
  const segments = path.slice(1).split('/').map(parseSegment);
  const known = segments.filter((segment) => segment !== undefined);
  return known.length === segments.length ? { method, segments: known } : undefined;
}

function parseSegment(segment: string): PathSegment | undefined {
  const parameter = /^\{([A-Za-z0-9._-]+)\}$/.exec(segment)?.[1];
  if (parameter !== undefined) return { parameter };
  return /[{}]/.test(segment) ? undefined : { text: segment };
}
