import { authenticateServiceRequest } from '../authentication/authenticate.ts';
import { type ClaimedSignature, parseAuthorization } from '../authentication/signature.ts';
import { callerOf } from '../protocols/calls.ts';
import { type JsonTarget, jsonErrorResponse, jsonResponse, parseTarget } from '../protocols/json-protocol.ts';
import { queryErrorResponse, queryResponse } from '../protocols/query-protocol.ts';
import { type ReceivedRequest, readBody, sendResponse } from '../protocols/request.ts';
import { restErrorResponse } from '../protocols/rest-protocol.ts';
import type {
  Endpoint,
  Input,
  JsonEndpoint,
  Output,
  QueryEndpoint,
  ServiceCall,
} from '../protocols/service.ts';
import type { ServiceContext } from '../registry/aws-service.ts';
import { errorResponse } from '../s3/errors.ts';
import { operationOf } from '../s3/operations.ts';
import { requestOption } from '../s3/request.ts';
import { type HttpResponse, isOpen } from '../server/write-response.ts';
import { AwsError } from '../shared/errors.ts';
import { isJsonObject } from '../shared/json.ts';
import {
  delayResponse,
  type FaultyCall,
  type FindFault,
  faultyResponse,
  rejectEntries,
  stall,
} from './faults.ts';

/** Maximum body of a service other than S3: DynamoDB's limit. */
export const maxBodyBytes = 16 * 1024 * 1024;

interface DispatchDependencies extends ServiceContext {
  /** Services behind the endpoint. */
  readonly endpoints: readonly Endpoint[];
  readonly findFault: FindFault;
}

/** The service in the signature of a request, and the reader of its body. */
interface Claim {
  readonly signature: ClaimedSignature | undefined;
  /** Service named in the signature. A request without a signature in its headers is for S3. */
  readonly endpoint: Endpoint | undefined;
  readonly target: JsonTarget | undefined;
  /** Reads the body, once. S3 reads the body itself. */
  readonly readBody: () => Promise<Buffer>;
}

/**
 * Sends each request to the service in its signature. A request without a signature in its headers goes to
 * S3, which also accepts signatures in the query, unless X-Amz-Target names another service.
 */
export async function dispatch(request: ReceivedRequest, dependencies: DispatchDependencies): Promise<void> {
  const claim = readClaim(request, dependencies.endpoints);
  const { signature, endpoint, target } = claim;
  const s3 = target === undefined && endpoint?.protocol === 's3' ? endpoint : undefined;
  const formatError = (error: AwsError) =>
    s3 ? errorResponse(error, request.requestId) : serviceError(error, request, claim);
  // Faults apply to calls of functions and to presigned URLs, not to calls of the operator.
  const { accessKeyId = 'ASIA', service = 's3' } = signature ?? {};
  const disturbed = accessKeyId.startsWith('ASIA') ? service : '';
  const fault = await dependencies.findFault(disturbed, () => readCall(request, claim));
  if (fault === 'stalled') {
    return stall(request);
  }
  if (fault !== undefined && fault !== 'slow') {
    const body = service === 'events' ? await claim.readBody() : undefined;
    const format = (error: AwsError) =>
      body === undefined
        ? formatError(error)
        : jsonResponse({ version: '1.1' }, rejectEntries(error, parseJson(body)), request.requestId);
    return sendResponse(request, faultyResponse(fault, service, request, format));
  }
  const delayed = fault === 'slow' ? delayResponse() : undefined;
  if (s3) {
    await delayed;
    return s3.serve(request);
  }
  const response = await responseOf(request, claim, dependencies).catch((error) =>
    formatError(toAwsError(error, request, dependencies)),
  );
  await delayed;
  if (isOpen(request.response)) {
    await sendResponse(request, response);
  }
}

function readClaim(request: ReceivedRequest, endpoints: readonly Endpoint[]): Claim {
  const { authorization, 'x-amz-target': target } = request.headers;
  const signature = authorization === undefined ? undefined : parseAuthorization(authorization);
  const service = signature?.service ?? 's3';
  return {
    signature,
    endpoint: endpoints.find(({ name }) => name === service),
    target: parseTarget(target, endpoints),
    readBody: once(() => readBody(request, maxBodyBytes)),
  };
}

/** Reads the operation and the table of a request. A malformed body is rejected later. */
async function readCall(
  request: ReceivedRequest,
  { signature, target, readBody }: Claim,
): Promise<FaultyCall> {
  if (signature === undefined || signature.service === 's3') {
    const isConditional = request.method === 'PUT' && requestOption(request, 'if-none-match') !== undefined;
    return { operation: operationOf(request), isConditional };
  }
  const text = await readBody().then(String, () => '');
  return {
    operation: target?.operation ?? new URLSearchParams(text).get('Action') ?? undefined,
    table: /"TableName":"([^"]*)"/.exec(text)?.[1],
  };
}

function serviceError(
  error: AwsError,
  { requestId }: ReceivedRequest,
  { endpoint, target }: Claim,
): HttpResponse {
  switch (endpoint?.protocol) {
    case 'query':
      return queryErrorResponse(endpoint, error, requestId);
    case 'rest':
      return restErrorResponse(error, requestId);
    case 'json':
    case 's3':
    case undefined:
      return jsonErrorResponse(target?.endpoint, error, requestId);
  }
}

async function responseOf(
  request: ReceivedRequest,
  { signature, endpoint, target, readBody }: Claim,
  dependencies: DispatchDependencies,
): Promise<HttpResponse> {
  if (signature === undefined) {
    throw missingSignature(request);
  }
  const { requestId } = request;
  const body = await readBody();
  const principal = await authenticateServiceRequest(request, signature, body, dependencies);
  if (endpoint?.protocol === 'rest') {
    return endpoint.serve(request, principal, body);
  }
  if (endpoint?.protocol === 'query') {
    const { Action: operation = '', ...input } = Object.fromEntries(
      new URLSearchParams(body.toString('utf8')),
    );
    return queryResponse(
      endpoint,
      operation,
      await serve(endpoint, { principal, operation, input }, dependencies),
      requestId,
    );
  }
  if (endpoint?.protocol !== 'json' || endpoint !== target?.endpoint) {
    const text = `The emulator has no service ${signature.service}, or X-Amz-Target names another service`;
    throw new AwsError(400, 'UnknownOperationException', text);
  }
  const { operation } = target;
  const output = await serve(endpoint, { principal, operation, input: parseJson(body) }, dependencies);
  return jsonResponse(endpoint, output, requestId);
}

/** Reports the call after it has ended. */
function serve(
  endpoint: JsonEndpoint | QueryEndpoint,
  call: ServiceCall,
  { onCall }: DispatchDependencies,
): Promise<Output> {
  const { name: service, uncounted } = endpoint;
  const { operation, principal } = call;
  return endpoint.serve(call).finally(() => {
    if (!uncounted) {
      onCall({ service, operation, caller: callerOf(principal) });
    }
  });
}

function once<Result>(act: () => Promise<Result>): () => Promise<Result> {
  let result: Promise<Result> | undefined;
  return () => {
    result ??= act();
    return result;
  };
}

function missingSignature({ headers }: ReceivedRequest): AwsError {
  return headers.authorization === undefined
    ? new AwsError(400, 'MissingAuthenticationTokenException', 'Request is missing Authentication Token')
    : new AwsError(400, 'IncompleteSignatureException', 'The Authorization header is malformed.');
}

function parseJson(body: Buffer): Input {
  try {
    const value: unknown = JSON.parse(body.toString('utf8'));
    if (isJsonObject(value)) {
      return value;
    }
  } catch {
    // The error below applies to every body that is not a JSON object.
  }
  throw new AwsError(400, 'SerializationException', 'Start of structure or map found where not expected.');
}

function toAwsError(error: unknown, request: ReceivedRequest, { log, disk }: DispatchDependencies): AwsError {
  disk.reportFailure(error);
  const known = error instanceof AwsError ? error : undefined;
  if (known !== undefined && known.status < 500) {
    return known;
  }
  if (isOpen(request.response)) {
    const reason = known ? { ...known.details, text: known.message } : { text: String(error) };
    log({ level: 'error', message: 'AWS endpoint failed', request_id: request.requestId, ...reason });
  }
  return known ?? new AwsError(500, 'InternalFailure', 'The emulator failed.');
}
