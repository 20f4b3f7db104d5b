import type { HttpResponse } from '../server/write-response.ts';
import type { AwsError } from '../shared/errors.ts';
import type { Endpoint, JsonEndpoint } from './service.ts';

/** Operation of a request, and its service. */
export interface JsonTarget {
  readonly endpoint: JsonEndpoint;
  readonly operation: string;
}

type Form = Pick<JsonEndpoint, 'namespace' | 'version'>;

/** Reads X-Amz-Target; returns undefined when it names none of these services. */
export function parseTarget(
  header: string | undefined,
  endpoints: readonly Endpoint[],
): JsonTarget | undefined {
  const [prefix, operation = ''] = (header ?? '').split('.');
  const endpoint = endpoints
    .filter((each) => each.protocol === 'json')
    .find(({ target }) => target === prefix);
  return endpoint && { endpoint, operation };
}

/** Writes the output of an operation. */
export function jsonResponse({ version }: Form, output: unknown, requestId: string): HttpResponse {
  return { status: 200, headers: headersOf(version, requestId), body: JSON.stringify(output) };
}

/** Writes an error in the format of the JSON protocols, with its name in `__type`. */
export function jsonErrorResponse(form: Form | undefined, error: AwsError, requestId: string): HttpResponse {
  const { namespace, version = '1.0' } = form ?? {};
  const body = JSON.stringify({
    __type: namespace === undefined ? error.code : `${namespace}#${error.code}`,
    message: error.message,
    Message: error.message,
  });
  return { status: error.status, headers: headersOf(version, requestId), body };
}

function headersOf(version: string, requestId: string): Record<string, string> {
  return { 'content-type': `application/x-amz-json-${version}`, 'x-amzn-requestid': requestId };
}
