import * as v from 'valibot';
import { type RetryPolicy, retry } from '../../contract/internal/retry.ts';

/** CloudFormation's request during a deployment ("Custom resource request objects"). */
export const customResourceSchema = v.object({
  RequestType: v.picklist(['Create', 'Update', 'Delete']),
  ResponseURL: v.pipe(v.string(), v.url()),
  StackId: v.string(),
  RequestId: v.string(),
  LogicalResourceId: v.string(),
});

export type CustomResourceRequest = v.InferOutput<typeof customResourceSchema>;

/**
 * Responds to a custom resource request. Without a response, CloudFormation waits until the service timeout.
 */
export type RespondToCustomResource = (request: CustomResourceRequest, failure?: string) => Promise<void>;

/** Longest time for one PUT to CloudFormation's bucket, in milliseconds. */
const responseTimeoutMilliseconds = 5_000;

interface ResponderDependencies extends Pick<RetryPolicy, 'sleep' | 'random'> {
  /**
   * A constant id, so that an update never replaces the resource. A stack contains one resource of this kind.
   */
  readonly physicalResourceId: string;
  readonly put: typeof fetch;
}

/**
 * Creates a responder that sends a PUT to the request's presigned URL ("Custom resource response objects").
 * The body is sent as bytes, because `fetch` then adds no Content-Type: the URL is signed without one.
 *
 * @throws {Error} if every attempt failed; Lambda then runs the whole request again
 */
export function createCustomResourceResponder(dependencies: ResponderDependencies): RespondToCustomResource {
  const { physicalResourceId, put, sleep, random } = dependencies;
  return async ({ StackId, RequestId, LogicalResourceId, ResponseURL }, failure) => {
    const body = Buffer.from(
      JSON.stringify({
        Status: failure === undefined ? 'SUCCESS' : 'FAILED',
        // JSON leaves out `undefined`: without a failure, the response contains no member `Reason`.
        Reason: failure,
        PhysicalResourceId: physicalResourceId,
        StackId,
        RequestId,
        LogicalResourceId,
      }),
    );
    const accepted = await retry({ firstWaitMilliseconds: 500, maxAttempts: 3, sleep, random }, () =>
      send(put, ResponseURL, body),
    );
    if (!accepted) {
      // The cause is left out: it may quote the URL, whose signature is a secret.
      throw new Error('CloudFormation did not accept the response');
    }
  };
}

/** Returns true if CloudFormation accepted the response, or else undefined. */
async function send(put: typeof fetch, url: string, body: Buffer): Promise<true | undefined> {
  try {
    const signal = AbortSignal.timeout(responseTimeoutMilliseconds);
    const response = await put(url, { method: 'PUT', body: new Uint8Array(body), signal });
    return response.ok || undefined;
  } catch {
    return undefined;
  }
}
