/** All public routes. */
export const routes = {
  token: { method: 'POST', path: '/oauth/token' },
  volumes: { method: 'GET', path: '/v0/volumes' },
  sync: { method: 'POST', path: '/v0/files/{fileId}/sync' },
  openidConfiguration: { method: 'GET', path: '/.well-known/openid-configuration' },
  keySet: { method: 'GET', path: '/.well-known/jwks.json' },
  openapi: { method: 'GET', path: '/v0/openapi.json' },
} as const;

export type Route = (typeof routes)[keyof typeof routes];

/** API Gateway's name of a route, in its configuration and in its events: `GET /v0/volumes`. */
export function routeKey({ method, path }: Route): string {
  return `${method} ${path}`;
}
