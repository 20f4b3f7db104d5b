import { type Route, versionNames, versions } from './versions.ts';

export type { Route } from './versions.ts';

/** The routes of v0, and those that belong to no version. */
export const routes = {
  token: { method: 'POST', path: '/oauth/token', needs: 'client credentials', servedBy: 'token' },
  ...versions.v0.operations,
  openidConfiguration: {
    method: 'GET',
    path: '/.well-known/openid-configuration',
    needs: 'nothing',
    servedBy: 'well-known',
  },
  keySet: { method: 'GET', path: '/.well-known/jwks.json', needs: 'nothing', servedBy: 'well-known' },
  openapi: versions.v0.description,
} as const satisfies Readonly<Record<string, Route>>;

/**
 * All public routes, by name. Infrastructure, the API description and the tests of both follow from them. The names of a
 * later version begin with it: `v1Volumes`. The logical IDs of a route's resources are made from its name.
 */
export function everyRoute(): Readonly<Record<string, Route>> {
  const later = versionNames.slice(1).flatMap((version) => {
    const { operations, description } = versions[version];
    const own: Readonly<Record<string, Route>> = { ...operations, openapi: description };
    return Object.entries(own).map(([name, route]) => [`${version}${capitalized(name)}`, route] as const);
  });
  return { ...routes, ...Object.fromEntries(later) };
}

function capitalized(name: string): string {
  return name.charAt(0).toUpperCase() + name.slice(1);
}

/** API Gateway's name of a route, in its configuration and in its events: `GET /v0/volumes`. */
export function routeKey({ method, path }: Pick<Route, 'method' | 'path'>): string {
  return `${method} ${path}`;
}
