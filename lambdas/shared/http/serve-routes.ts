import { type Route, routeKeysOf, routes } from '../../../contract/routes.ts';
import { InternalError, type Log } from '../log/log.ts';
import { type Handler, respondToUnexpectedError } from './messages.ts';

type Routes = typeof routes;

/**
 * Creates the handler of a function, which passes each request to the handler of its route. The handler never
 * throws.
 *
 * @param handlers one for each route of the function; a missing one is a type error
 *
 * @example
 * ```ts
 * export const handler = serveRoutes<'volumes'>(
 *   { volumes: createApiHandler(routes.volumes.scope, volumesEndpoint, api) },
 *   api.log,
 * );
 * ```
 */
export function serveRoutes<Folder extends Route['servedBy']>(
  handlers: {
    readonly [Name in keyof Routes as Routes[Name]['servedBy'] extends Folder ? Name : never]: Handler;
  },
  log: Log,
): Handler {
  const byName: Partial<Record<string, Handler>> = handlers;
  const byKey = new Map(
    Object.entries(routes).flatMap(([name, route]) =>
      routeKeysOf(route).map((key) => [key, byName[name]] as const),
    ),
  );
  const reject: Handler = async (event) =>
    respondToUnexpectedError(new InternalError('No handler for this route'), event, log);
  return (event) => (byKey.get(event.routeKey) ?? reject)(event);
}
