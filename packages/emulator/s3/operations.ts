import type { ReceivedRequest } from '../protocols/request.ts';
import type { HttpResponse } from '../server/write-response.ts';
import { AwsError } from '../shared/errors.ts';
import { deleteObject } from './delete-object.ts';
import { getObject } from './get-object.ts';
import { listObjects } from './list-objects.ts';
import { listObjectVersions } from './list-versions.ts';
import { getObjectTagging } from './object-tagging.ts';
import type { Parameters } from './parameters.ts';
import { putObject } from './put-object.ts';
import { putParameters } from './put-options.ts';
import type { S3Request } from './request.ts';

interface Operation {
  /** Writes the response itself, or returns it. */
  readonly run: (request: S3Request) => Promise<HttpResponse | undefined>;
  readonly parameters: Parameters;
}

const objectParameters = { options: ['x-amz-checksum-mode'], query: ['versionId'] };

export const operations = {
  PutObject: { run: putObject, parameters: putParameters },
  GetObject: { run: getObject, parameters: objectParameters },
  HeadObject: { run: getObject, parameters: objectParameters },
  DeleteObject: { run: deleteObject, parameters: { query: ['versionId'] } },
  GetObjectTagging: { run: getObjectTagging, parameters: { query: ['tagging', 'versionId'] } },
  ListObjectsV2: {
    run: listObjects,
    parameters: { query: ['list-type', 'prefix', 'continuation-token', 'max-keys'] },
  },
  ListObjectVersions: { run: listObjectVersions, parameters: { query: ['versions', 'prefix'] } },
} as const satisfies Readonly<Record<string, Operation>>;

/**
 * Operations by the properties of a request: its method, the presence of a key, and a subresource. Other
 * parameters that select an operation are rejected as parameters.
 */
const requests: Readonly<Record<string, keyof typeof operations>> = {
  'PUT object': 'PutObject',
  'GET object': 'GetObject',
  'HEAD object': 'HeadObject',
  'DELETE object': 'DeleteObject',
  'GET object?tagging': 'GetObjectTagging',
  'GET bucket?list-type': 'ListObjectsV2',
  'GET bucket?versions': 'ListObjectVersions',
};

/** Returns the name of a request's operation; undefined for an unsupported operation. */
export function operationOf(received: ReceivedRequest): keyof typeof operations | undefined {
  return requests[describeRequest(received)];
}

function describeRequest({ method, path, query }: ReceivedRequest): string {
  const subject = /^\/[^/]*\/./s.test(path) ? 'object' : 'bucket';
  const subresource = query.find(({ name }) => ['tagging', 'versions', 'list-type'].includes(name));
  return `${method} ${subject}${subresource === undefined ? '' : `?${subresource.name}`}`;
}

/** @throws {AwsError} 501 NotImplemented for an unsupported operation */
export function requireOperation(received: ReceivedRequest): keyof typeof operations {
  const operation = operationOf(received);
  if (operation === undefined) {
    const text = 'A header you provided implies functionality that is not implemented';
    throw new AwsError(501, 'NotImplemented', text, { Operation: describeRequest(received) });
  }
  return operation;
}
