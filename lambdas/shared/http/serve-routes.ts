import { type Route, type RouteServedBy, routeKey, routes } from '../../../contract/routes.ts';
import { InternalError, type Log } from '../log/log.ts';
import { answerUnexpectedError, type Handler } from './messages.ts';

/** The handler of each route that a function serves. A route without its handler does not compile. */
type Handlers<Folder extends Route['servedBy']> = { readonly [Name in RouteServedBy<Folder>]: Handler };

/** The handler of a function, which hands each request to the handler of the request's route. Never throws. */
export function serveRoutes<Folder extends Route['servedBy']>(handlers: Handlers<Folder>, log: Log): Handler {
  const byName: Partial<Record<string, Handler>> = handlers;
  const byKey = new Map(Object.entries(routes).map(([name, route]) => [routeKey(route), byName[name]]));
  return async (event) =>
    byKey.get(event.routeKey)?.(event) ??
    answerUnexpectedError(new InternalError('No handler for this route'), event, log);
}
