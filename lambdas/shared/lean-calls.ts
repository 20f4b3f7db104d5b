import { HttpRequest } from '@smithy/protocol-http';
import { type AwsCredentials, createSignAwsRequest, type SigningScope } from './sign-aws-request.ts';

/** The part of an SDK client whose calls are made lean. */
export interface LeanableClient {
  readonly middlewareStack: {
    remove(name: string): boolean;
    add(middleware: Middleware, options: { step: 'finalizeRequest'; priority: 'low'; name: string }): void;
  };
}

type Middleware = <Parameters extends { readonly request: unknown }, Output>(
  next: (parameters: Parameters) => Promise<Output>,
) => (parameters: Parameters) => Promise<Output>;

/**
 * Middleware of the SDK that the calls of a function do not need at every call:
 *
 * - `loggerMiddleware` prepares inputs and outputs for a logger, and there is none;
 * - `getUserAgentMiddleware` and `recursionDetectionMiddleware` write headers that AWS does not need for these services;
 * - `hostHeaderMiddleware` and `contentLengthMiddleware` write headers that the signer and `node:http` write;
 * - `httpAuthSchemeMiddleware` and `httpSigningMiddleware` choose a way to sign, find credentials and make a signer.
 */
const unneeded = [
  'loggerMiddleware',
  'getUserAgentMiddleware',
  'recursionDetectionMiddleware',
  'hostHeaderMiddleware',
  'contentLengthMiddleware',
  'httpAuthSchemeMiddleware',
  'httpSigningMiddleware',
];

/** For CloudTrail: AWS does not need it. */
const userAgent = 'file-sync-api';

/**
 * Takes what is not needed out of a client that is called for every request, and signs its calls by
 * {@link createSignAwsRequest}. Serialization, retries, limits of time and errors stay those of the SDK
 * (docs/decisions/0023).
 *
 * @throws {Error} when the SDK no longer has one of these middlewares, so that an update is noticed
 */
export function makeLean(
  { middlewareStack }: LeanableClient,
  scope: SigningScope,
  credentials: AwsCredentials,
): void {
  for (const name of unneeded) {
    if (!middlewareStack.remove(name)) {
      throw new Error(`The AWS SDK has no ${name}: see lambdas/shared/lean-calls.ts`);
    }
  }
  const sign = createSignAwsRequest(scope, credentials);
  middlewareStack.add(
    (next) => (parameters) => {
      const { request } = parameters;
      if (!HttpRequest.isInstance(request)) {
        throw new Error('The AWS SDK made a request that is not an HttpRequest');
      }
      const { hostname, port, method, path, body, headers } = request;
      const host = port === undefined ? hostname : `${hostname}:${port}`;
      const unsigned = { ...headers, host, 'user-agent': userAgent };
      const signed = sign({ method, path, body, headers: unsigned }, Date.now());
      return next({ ...parameters, request: new HttpRequest({ ...request, headers: signed }) });
    },
    // After the retry middleware, so that each attempt has a signature of its own time.
    { step: 'finalizeRequest', priority: 'low', name: 'leanSigningMiddleware' },
  );
}
