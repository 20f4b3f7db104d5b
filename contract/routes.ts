import type { LogMessage } from './internal/log-messages.ts';

/** All scopes, each with its description in the API description. */
export const scopeDescriptions = {
  'volume:read': 'List and read drive volumes',
  'sync:create': 'Create a data source sync for a file',
} as const;

export type Scope = keyof typeof scopeDescriptions;

/**
 * All scopes, in their order in responses and discovery. Marked as pure, so that esbuild removes an unused
 * list.
 */
export const scopes = /* @__PURE__ */ Object.keys(scopeDescriptions) as Scope[];

export function isScope(value: string): value is Scope {
  return Object.hasOwn(scopeDescriptions, value);
}

/** Credentials that a route requires: an access token with a scope, client credentials, or none. */
type Access = (Credentials & Success) | { readonly needs: 'nothing' };

type Credentials =
  | { readonly needs: 'access token'; readonly scope: Scope }
  | { readonly needs: 'client credentials' };

/** Successful response to a client, for operators. */
interface Success {
  /** Content of the response. */
  readonly returns: string;
  /** Log message. Undefined: the function writes no line. */
  readonly logs: LogMessage | undefined;
}

export type Method = 'GET' | 'HEAD' | 'POST';

/** One route of the API. */
export type Route = Access & {
  readonly method: Exclude<Method, 'HEAD'>;
  readonly path: `/${string}`;
  /** The folder of the function in `lambdas/`. */
  readonly servedBy: 'token' | 'volumes' | 'sync' | 'well-known';
  /** Setting with the requests per second. Absent: a constant (lib/api.ts). */
  readonly rateLimit?: `${string}RateLimit`;
};

/**
 * All public routes, by name. Infrastructure, handlers, the API description and the tools are derived from
 * them. The logical IDs of a route's resources contain its name.
 */
export const routes = {
  token: {
    method: 'POST',
    path: '/oauth/token',
    needs: 'client credentials',
    returns: 'an access token',
    logs: 'tokenIssued',
    servedBy: 'token',
    rateLimit: 'tokenRateLimit',
  },
  volumes: {
    method: 'GET',
    path: '/v0/volumes',
    needs: 'access token',
    scope: 'volume:read',
    returns: 'the list of volumes',
    logs: undefined,
    servedBy: 'volumes',
  },
  sync: {
    method: 'POST',
    path: '/v0/files/{fileId}/sync',
    needs: 'access token',
    scope: 'sync:create',
    returns: 'an upload URL',
    logs: 'uploadUrlIssued',
    servedBy: 'sync',
    rateLimit: 'syncRateLimit',
  },
  openidConfiguration: {
    method: 'GET',
    path: '/.well-known/openid-configuration',
    needs: 'nothing',
    servedBy: 'well-known',
  },
  authorizationServer: {
    method: 'GET',
    path: '/.well-known/oauth-authorization-server',
    needs: 'nothing',
    servedBy: 'well-known',
  },
  keySet: { method: 'GET', path: '/.well-known/jwks.json', needs: 'nothing', servedBy: 'well-known' },
  openapi: { method: 'GET', path: '/v0/openapi.json', needs: 'nothing', servedBy: 'well-known' },
} as const satisfies Readonly<Record<string, Route>>;

/**
 * Returns the methods of a route. A public document also responds to HEAD, which monitors send (RFC 9110
 * section 9.3.2).
 */
export function methodsOf({ method, needs }: Pick<Route, 'method' | 'needs'>): readonly Method[] {
  return needs === 'nothing' ? [method, 'HEAD'] : [method];
}

/** Returns the folders of the functions that serve routes, each once. */
export function foldersOf(served: readonly Route[]): readonly Route['servedBy'][] {
  return [...new Set(served.map(({ servedBy }) => servedBy))];
}

/** Returns the route key in API Gateway's configuration and events, for example `GET /v0/volumes`. */
export function routeKey({ method, path }: { readonly method: Method; readonly path: string }): string {
  return `${method} ${path}`;
}

/** Returns the route keys of a route, one for each of its methods. */
export function routeKeysOf(route: Route): readonly string[] {
  return methodsOf(route).map((method) => routeKey({ ...route, method }));
}

/** Returns the path of a request for an upload URL of a file. */
export function syncPathOf(fileId: string): string {
  return routes.sync.path.replace('{fileId}', encodeURIComponent(fileId));
}
