import type { ResponseSchemas } from '../../../contract/bodies/errors.ts';
import type { Scope } from '../../../contract/routes.ts';
import type { MetricValues, SyncRejection } from '../log/metrics.ts';
import { type Caller, readBearerToken, type VerifyAccessToken } from '../tokens/access-token.ts';
import { ApiError } from './api-error.ts';
import type { Deadline } from './deadline.ts';
import { createEndpointHandler, type EndpointDependencies } from './endpoint.ts';
import { type Handler, type Headers, type HttpEvent, noStore } from './messages.ts';

export interface ApiEndpoint<Body> {
  /** Schemas of the bodies that the endpoint may answer with, by status. Any other answer becomes a 500. */
  readonly responses: ResponseSchemas;
  /**
   * Does the work and returns the body of the 200; as a promise only if it waits for something. Called only for a caller
   * that has the scope. When the deadline is over, the caller has already been responded with 500, and the work must store
   * nothing more.
   */
  readonly act: (caller: Caller, event: HttpEvent, deadline: Deadline) => Body | Promise<Body>;
  /** Metrics of a rejection. Absent: API Gateway's own metrics are enough. */
  readonly rejected?: (rejection: SyncRejection) => MetricValues;
}

export interface ApiDependencies extends EndpointDependencies {
  readonly verifyAccessToken: VerifyAccessToken;
  /** Headers of every response. */
  readonly headers?: Headers;
}

/** The handler of a route that needs an access token with a scope: authenticate, authorise, act, respond. Never throws. */
export function createApiHandler<Body>(
  scope: Scope,
  { responses, act, rejected }: ApiEndpoint<Body>,
  dependencies: ApiDependencies,
): Handler {
  return createEndpointHandler<SyncRejection>(
    {
      responses,
      headers: { ...noStore, ...dependencies.headers },
      rejected: { message: 'requestRejected', values: rejected },
      // Verifying waits only for the key set, and the cache bounds that (`loadWithinMilliseconds`). The rest has the deadline.
      serve: async (request) => {
        const { event } = request;
        const caller = await dependencies.verifyAccessToken(readBearerToken(event.headers.authorization));
        request.client = caller;
        if (!caller.scopes.has(scope)) {
          throw ApiError.insufficientScope(scope);
        }
        return request.withinDeadline((deadline) => act(caller, event, deadline));
      },
    },
    dependencies,
  );
}
