/** One route of the API. */
export interface Route {
  readonly method: 'GET' | 'POST';
  readonly path: `/${string}`;
  /** What a caller needs: its credentials as a client, an access token, or nothing. */
  readonly needs: 'client credentials' | 'access token' | 'nothing';
  /** The folder of the function in `lambdas/`. */
  readonly servedBy: 'token' | 'volumes' | 'sync' | 'well-known';
}

/**
 * All public routes, by name. Infrastructure, the API description and the tests of both follow from them. The logical IDs
 * of a route's resources are made from its name.
 */
export const routes = {
  token: { method: 'POST', path: '/oauth/token', needs: 'client credentials', servedBy: 'token' },
  volumes: { method: 'GET', path: '/v0/volumes', needs: 'access token', servedBy: 'volumes' },
  sync: { method: 'POST', path: '/v0/files/{fileId}/sync', needs: 'access token', servedBy: 'sync' },
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

/** API Gateway's name of a route, in its configuration and in its events: `GET /v0/volumes`. */
export function routeKey({ method, path }: Pick<Route, 'method' | 'path'>): string {
  return `${method} ${path}`;
}
