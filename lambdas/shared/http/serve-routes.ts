import { type Route, routeKeysOf, routes } from '../../../contract/routes.ts';
import { InternalError, type Log } from '../log/log.ts';
import { type Handler, respondToUnexpectedError } from './messages.ts';

type Routes = typeof routes;

/**
 * The handler of a function, which hands each request to the handler of the request's route. Never throws.
 *
 * @param handlers one for each route of the function: a call that lacks one does not compile
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
