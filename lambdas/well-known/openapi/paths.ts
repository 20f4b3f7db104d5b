import { type Route, type RouteName, routes } from '../../../contract/routes.ts';
import { errorAnswers } from './answers.ts';
import { type Operation, operations } from './operations.ts';

/** Every operation by path and method, with what follows from its route. */
export function describePaths() {
  const paths: Record<string, Readonly<Record<string, object>>> = {};
  for (const name of Object.keys(routes) as RouteName[]) {
    const { path, method } = routes[name];
    const described = describe(routes[name], operations[name]);
    paths[path] = { ...paths[path], [method.toLowerCase()]: described };
  }
  return paths;
}

function describe(route: Route, { responses, parameters, ...operation }: Operation) {
  const { security, refusals } = accessOf(route);
  return {
    ...operation,
    security,
    ...(parameters && { parameters }),
    responses: { ...responses, ...refusals, 429: errorAnswers[429], 500: errorAnswers[500] },
  };
}

/** The security schemes of a route, and how every such route refuses a caller. */
function accessOf(route: Route) {
  switch (route.needs) {
    case 'access token': {
      const refusals = { 401: errorAnswers[401], 403: errorAnswers[403](route.scope) };
      return { security: [{ clientCredentials: [route.scope] }], refusals };
    }
    case 'client credentials':
      return { security: [{ clientSecretBasic: [] }, {}] };
    case 'nothing':
      return { security: [] };
  }
}
