import { isAllowedFrom } from '../../../contract/address-ranges.ts';
import type { ResponseSchemas } from '../../../contract/bodies/errors.ts';
import type { MetricValues, SyncRejection } from '../../../contract/internal/metrics.ts';
import { rejectionMessages } from '../../../contract/internal/request-log.ts';
import type { Scope } from '../../../contract/routes.ts';
import { type Caller, readBearerToken, type VerifyAccessToken } from '../tokens/access-token.ts';
import { ApiError } from './api-error.ts';
import type { Deadline } from './deadline.ts';
import { createEndpointHandler, type EndpointDependencies } from './endpoint.ts';
import { type Handler, type Headers, type HttpEvent, noStore } from './messages.ts';

export interface ApiEndpoint<Body> {
  /** Schemas of the response bodies, by status. A body that matches none becomes a 500. */
  readonly responses: ResponseSchemas;
  /**
   * Does the work and returns the body of the 200, or a promise of it if the work waits. Called only if the
   * token contains the scope. After the deadline, the client gets a 500, and the work must store no more
   * data.
   */
  readonly act: (caller: Caller, event: HttpEvent, deadline: Deadline) => Body | Promise<Body>;
  /** Metrics of a rejection. Absent: API Gateway's own metrics are sufficient. */
  readonly rejected?: (rejection: SyncRejection) => MetricValues;
}

export interface ApiDependencies extends EndpointDependencies {
  readonly verifyAccessToken: VerifyAccessToken;
  /** Headers of every response. */
  readonly headers?: Headers;
}

/**
 * Creates the handler of a route that requires an access token with a scope: authenticate, authorise, act,
 * respond. The handler never throws.
 */
export function createApiHandler<Body>(
  scope: Scope,
  { responses, act, rejected }: ApiEndpoint<Body>,
  dependencies: ApiDependencies,
): Handler {
  return createEndpointHandler<SyncRejection>(
    {
      responses,
      headers: { ...noStore, ...dependencies.headers },
      rejected: { message: rejectionMessages['access token'], values: rejected },
      // Verification waits only for the key set, within the limit of the cache (`loadWithinMilliseconds`).
      // The deadline covers the rest.
      serve: async (request) => {
        const { event } = request;
        const caller = await dependencies.verifyAccessToken(readBearerToken(event.headers.authorization));
        request.client = caller;
        if (!isAllowedFrom(event.requestContext.http?.sourceIp, caller.allowFrom)) {
          throw ApiError.addressNotAllowed();
        }
        if (!caller.scopes.has(scope)) {
          throw ApiError.insufficientScope(scope);
        }
        return request.withinDeadline((deadline) => act(caller, event, deadline));
      },
    },
    dependencies,
  );
}
