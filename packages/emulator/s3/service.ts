import { join } from 'node:path';
import type { Authentication } from '../authentication/authenticate.ts';
import { callerOf, type OnCall } from '../calls.ts';
import type { Authorize } from '../iam/authorize.ts';
import { type ReceivedRequest, sendAnswer } from '../protocols/request.ts';
import { type Answer, isOpen } from '../server/write-answer.ts';
import type { DiskTrouble } from '../shared/disk-trouble.ts';
import { AwsError } from '../shared/errors.ts';
import type { StackIdentity } from '../shared/names.ts';
import { ofType, type Resource } from '../shared/resource-type.ts';
import { authenticateS3 } from './authenticate.ts';
import { openBucketFiles } from './bucket-files.ts';
import { deleteObject } from './delete-object.ts';
import { commonHeaders, errorAnswer } from './errors.ts';
import { getObject } from './get-object.ts';
import { listObjectVersions } from './list-object-versions.ts';
import { createObjectStore, type ObjectListener, type ObjectStore } from './object-store.ts';
import { getObjectTagging } from './object-tagging.ts';
import { putObject } from './put-object.ts';
import type { BucketParts, S3Request } from './request.ts';
import { bucketType } from './resource-types.ts';

export interface S3Parts {
  readonly stack: StackIdentity;
  readonly authentication: Authentication;
  readonly authorize: Authorize;
  readonly log: (line: Readonly<Record<string, unknown>>) => void;
  readonly disk: DiskTrouble;
  /** Whether `If-None-Match` in the query is ignored, for tests. */
  readonly ignoresQueryCondition: boolean;
  /** The listener for the new objects that a request makes in a bucket. */
  readonly listenerFor: (bucket: string, request: ReceivedRequest) => ObjectListener;
  readonly onCall: OnCall;
}

/** Query parameters that choose an operation. Those without an operation here are refused. */
const subresources = new Set(
  (
    'accelerate acl analytics attributes cors delete encryption intelligent-tiering inventory legal-hold lifecycle ' +
    'location logging metrics notification object-lock ownershipControls partNumber policy policyStatus ' +
    'publicAccessBlock replication requestPayment restore retention select tagging torrent uploadId uploads ' +
    'versioning versions website'
  ).split(' '),
);

/** Opens the buckets of the template, by name. */
export async function openBuckets(
  directory: string,
  resources: readonly Resource[],
  now: () => Date,
): Promise<ReadonlyMap<string, ObjectStore>> {
  const buckets = ofType(resources, bucketType).map(async ({ ref }) => {
    const files = await openBucketFiles(join(directory, ref));
    return [ref, createObjectStore(files, now)] as const;
  });
  return new Map(await Promise.all(buckets));
}

/** S3 with path-style addresses. Answers every request, errors included. */
export function createS3(buckets: ReadonlyMap<string, ObjectStore>, parts: S3Parts) {
  return async (received: ReceivedRequest): Promise<void> => {
    const common = commonHeaders(received.requestId);
    try {
      const answer = await answerRequest(received, buckets, parts, common);
      if (answer !== undefined) {
        await sendAnswer(received, { ...answer, headers: { ...common, ...answer.headers } });
      }
    } catch (error) {
      await sendError(received, error, common, parts);
    }
  };
}

async function answerRequest(
  received: ReceivedRequest,
  buckets: ReadonlyMap<string, ObjectStore>,
  parts: S3Parts,
  common: Readonly<Record<string, string>>,
): Promise<Answer | undefined> {
  const { bucketName, key } = parsePath(received.path);
  const caller = await authenticateS3(received, parts.authentication);
  const store = buckets.get(bucketName);
  if (store === undefined) {
    throw new AwsError(404, 'NoSuchBucket', 'The specified bucket does not exist', {
      BucketName: bucketName,
    });
  }
  const { authorize, stack, ignoresQueryCondition } = parts;
  const listenerFor = (request: ReceivedRequest) => parts.listenerFor(bucketName, request);
  const bucket: BucketParts = {
    name: bucketName,
    store,
    authorize,
    stack,
    ignoresQueryCondition,
    listenerFor,
  };
  const operation = requireOperation(received);
  return operations[operation]({ received, caller, key, bucket }, common).finally(() =>
    parts.onCall({ service: 's3', operation, caller: callerOf(caller.principal) }),
  );
}

/** An operation writes its answer itself, or returns it. */
type Operation = (
  request: S3Request,
  common: Readonly<Record<string, string>>,
) => Promise<Answer | undefined>;

const operations = {
  PutObject: putObject,
  GetObject: getObject,
  HeadObject: getObject,
  DeleteObject: deleteObject,
  GetObjectTagging: getObjectTagging,
  ListObjectVersions: listObjectVersions,
} as const satisfies Readonly<Record<string, Operation>>;

/** What a request is for: its method, and whether it has a key, and a parameter that chooses an operation. */
const requests: Readonly<Record<string, keyof typeof operations>> = {
  'PUT object': 'PutObject',
  'GET object': 'GetObject',
  'HEAD object': 'HeadObject',
  'DELETE object': 'DeleteObject',
  'GET object?tagging': 'GetObjectTagging',
  'GET bucket?versions': 'ListObjectVersions',
};

/** Name of the operation that a request is for; undefined when the emulator does not have it. */
export function operationOf(received: ReceivedRequest): keyof typeof operations | undefined {
  return requests[describeRequest(received)];
}

function describeRequest({ method, path, query }: ReceivedRequest): string {
  const subresource = query.map(({ name }) => name).find((name) => subresources.has(name));
  const subject = /^\/[^/]*\/./s.test(path) ? 'object' : 'bucket';
  return `${method} ${subject}${subresource === undefined ? '' : `?${subresource}`}`;
}

function requireOperation(received: ReceivedRequest): keyof typeof operations {
  const operation = operationOf(received);
  if (operation === undefined) {
    const text = 'A header you provided implies functionality that is not implemented';
    throw new AwsError(501, 'NotImplemented', text, { Operation: describeRequest(received) });
  }
  return operation;
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
  common: Readonly<Record<string, string>>,
  { log, disk }: S3Parts,
): Promise<void> {
  disk.noteFailure(error);
  // If the client has disconnected, that caused the failure, and the log needs no line.
  if (!(error instanceof AwsError) && !received.response.destroyed) {
    log({ level: 'error', message: 'S3 failed', request_id: received.requestId, error: String(error) });
  }
  if (!isOpen(received.response)) {
    // The client has gone, or the answer has begun: nothing more can be said.
    received.response.destroy();
    return;
  }
  const known =
    error instanceof AwsError
      ? error
      : new AwsError(500, 'InternalError', 'We encountered an internal error. Please try again.');
  const answer = errorAnswer(known, received.requestId);
  await sendAnswer(received, { ...answer, headers: { ...common, ...answer.headers } });
}
