import { callerOf } from '../protocols/calls.ts';
import { type ReceivedRequest, sendResponse } from '../protocols/request.ts';
import type { S3Endpoint } from '../protocols/service.ts';
import type { ServiceContext } from '../registry/aws-service.ts';
import { type HttpResponse, isOpen } from '../server/write-response.ts';
import { AwsError } from '../shared/errors.ts';
import { authenticateS3 } from './authenticate.ts';
import { commonHeaders, errorResponse } from './errors.ts';
import type { ObjectStore } from './object-store.ts';
import { operations, requireOperation } from './operations.ts';
import { requireSupported } from './parameters.ts';
import type { BucketDependencies } from './request.ts';

/** Dependencies of the operations on all buckets. */
interface S3Dependencies
  extends ServiceContext,
    Pick<BucketDependencies, 'ignoresIfNoneMatch' | 'prepareFor'> {
  /** Buckets by name. */
  readonly buckets: ReadonlyMap<string, ObjectStore>;
}

/** S3 with path-style addresses. Responds to every request, including with errors. */
export function createS3(dependencies: S3Dependencies): S3Endpoint['serve'] {
  return async (received) => {
    received.response.setHeaders(commonHeaders(received.requestId));
    try {
      const response = await respondToRequest(received, dependencies);
      if (response !== undefined) {
        await sendResponse(received, response);
      }
    } catch (error) {
      await sendError(received, error, dependencies);
    }
  };
}

async function respondToRequest(
  received: ReceivedRequest,
  dependencies: S3Dependencies,
): Promise<HttpResponse | undefined> {
  const { bucketName, key } = parsePath(received.path);
  const caller = await authenticateS3(received, dependencies);
  const store = dependencies.buckets.get(bucketName);
  if (store === undefined) {
    throw new AwsError(404, 'NoSuchBucket', 'The specified bucket does not exist', {
      BucketName: bucketName,
    });
  }
  const bucket = { ...dependencies, name: bucketName, store };
  const operation = requireOperation(received);
  const { run, parameters } = operations[operation];
  requireSupported(received, parameters);
  return run({ received, caller, key, bucket }).finally(() =>
    dependencies.onCall({ service: 's3', operation, caller: callerOf(caller.principal) }),
  );
}

function parsePath(path: string): { readonly bucketName: string; readonly key: string } {
  const slash = path.indexOf('/', 1);
  const [bucket, key] = slash < 0 ? [path.slice(1), ''] : [path.slice(1, slash), path.slice(slash + 1)];
  try {
    const decoded = { bucketName: decodeURIComponent(bucket), key: decodeURIComponent(key) };
    if (Buffer.byteLength(decoded.key) <= 1024) {
      return decoded;
    }
  } catch {
    throw new AwsError(400, 'InvalidURI', "Couldn't parse the specified URI.");
  }
  throw new AwsError(400, 'KeyTooLongError', 'Your key is too long', { MaxSizeAllowed: '1024' });
}

async function sendError(
  received: ReceivedRequest,
  error: unknown,
  { log, disk }: S3Dependencies,
): Promise<void> {
  disk.reportFailure(error);
  // A client that has disconnected caused the failure: no log line is needed.
  if (!(error instanceof AwsError) && !received.response.destroyed) {
    log({ level: 'error', message: 'S3 failed', request_id: received.requestId, error: String(error) });
  }
  if (!isOpen(received.response)) {
    // The client has disconnected, or the response has begun: no error can be sent.
    received.response.destroy();
    return;
  }
  const known =
    error instanceof AwsError
      ? error
      : new AwsError(500, 'InternalError', 'We encountered an internal error. Please try again.');
  await sendResponse(received, errorResponse(known, received.requestId));
}
