import { type Authentication, authenticateServiceRequest } from '../authentication/authenticate.ts';
import { type ClaimedSignature, parseAuthorization } from '../authentication/signature.ts';
import type { Principal } from '../iam/principal.ts';
import {
  type JsonServiceName,
  type JsonTarget,
  jsonAnswer,
  jsonErrorAnswer,
  parseTarget,
} from '../protocols/json-protocol.ts';
import {
  isQueryService,
  type QueryServiceName,
  queryAnswer,
  queryErrorAnswer,
} from '../protocols/query-protocol.ts';
import { type ReceivedRequest, readBody, sendAnswer } from '../protocols/request.ts';
import { restErrorAnswer } from '../protocols/rest-protocol.ts';
import type { Service } from '../protocols/service.ts';
import { errorAnswer } from '../s3/errors.ts';
import { operationOf } from '../s3/service.ts';
import { type Answer, isOpen } from '../server/write-answer.ts';
import type { DiskTrouble } from '../shared/disk-trouble.ts';
import { AwsError } from '../shared/errors.ts';
import { isJsonObject } from '../shared/json.ts';
import { delayAnswer, type FaultyCall, type FindFault, faultyAnswer, stall } from './faults.ts';

/** Largest body of a service other than S3: DynamoDB's limit. */
export const largestBodyBytes = 16 * 1024 * 1024;

/** The services behind the one endpoint. */
export interface Services {
  readonly json: Readonly<Record<JsonServiceName, Service>>;
  readonly query: Readonly<Record<QueryServiceName, Service>>;
  readonly lambda: (request: ReceivedRequest, principal: Principal, body: Buffer) => Promise<Answer>;
  readonly s3: (request: ReceivedRequest) => Promise<void>;
}

interface Dispatch {
  readonly services: Services;
  readonly authentication: Authentication;
  readonly findFault: FindFault;
  readonly disk: DiskTrouble;
  readonly log: (line: Readonly<Record<string, unknown>>) => void;
}

/** What a request says about the service that it is for. */
interface Claim {
  readonly signature: ClaimedSignature | undefined;
  readonly target: JsonTarget | undefined;
  /** Reads the body when it is first asked for. S3 reads it by itself. */
  readonly readBody: () => Promise<Buffer>;
}

/**
 * Sends each request to the service that it was signed for. A request without a signature in its headers goes to S3,
 * which also takes signatures in the query, unless its X-Amz-Target names another service.
 */
export async function dispatch(request: ReceivedRequest, parts: Dispatch): Promise<void> {
  const { authorization } = request.headers;
  const signature = authorization === undefined ? undefined : parseAuthorization(authorization);
  const target = parseTarget(request.headers['x-amz-target']);
  const claim = { signature, target, readBody: once(() => readBody(request, largestBodyBytes)) };
  const toS3 = target === undefined && (signature === undefined || signature.service === 's3');
  const formatError = (error: AwsError) =>
    toS3 ? errorAnswer(error, request.requestId) : serviceError(error, request, claim);
  // Calls of the operator have no fault, nor have clients that PUT to a presigned URL.
  const service = signature?.accessKeyId.startsWith('ASIA') ? signature.service : '';
  const fault = await parts.findFault(service, () => readCall(request, claim));
  if (fault === 'stalled') {
    return stall(request);
  }
  if (fault !== undefined && fault !== 'slow') {
    return sendAnswer(request, faultyAnswer(fault, service, request, formatError));
  }
  if (toS3) {
    if (fault === 'slow') {
      await delayAnswer();
    }
    return parts.services.s3(request);
  }
  const answer = await answerOf(request, claim, parts).catch((error) =>
    formatError(toAwsError(error, request, parts)),
  );
  if (fault === 'slow') {
    await delayAnswer();
  }
  if (isOpen(request.response)) {
    await sendAnswer(request, answer);
  }
}

/** Reads which operation a request is for, and on which table. A body that cannot be read is refused later. */
async function readCall(
  request: ReceivedRequest,
  { signature, target, readBody }: Claim,
): Promise<FaultyCall> {
  if (signature?.service === 's3') {
    return { operation: operationOf(request), table: undefined };
  }
  const text = await readBody().then(
    (body) => body.toString('utf8'),
    () => '',
  );
  if (target === undefined) {
    return { operation: new URLSearchParams(text).get('Action') ?? undefined, table: undefined };
  }
  return { operation: target.operation, table: /"TableName":"([^"]*)"/.exec(text)?.[1] };
}

function serviceError(error: AwsError, { requestId }: ReceivedRequest, { signature, target }: Claim): Answer {
  const service = signature?.service;
  if (isQueryService(service)) {
    return queryErrorAnswer(service, error, requestId);
  }
  return service === 'lambda' ? restErrorAnswer(error, requestId) : jsonErrorAnswer(target, error, requestId);
}

async function answerOf(
  request: ReceivedRequest,
  { signature, target, readBody }: Claim,
  { services, authentication }: Dispatch,
): Promise<Answer> {
  if (signature === undefined) {
    throw missingSignature(request);
  }
  const { requestId } = request;
  const body = await readBody();
  const principal = await authenticateServiceRequest(request, signature, body, authentication);
  if (signature.service === 'lambda') {
    return services.lambda(request, principal, body);
  }
  const { service } = signature;
  if (isQueryService(service)) {
    const { Action: operation = '', ...input } = Object.fromEntries(
      new URLSearchParams(body.toString('utf8')),
    );
    const output = await services.query[service]({ principal, operation, input });
    return queryAnswer(service, operation, output, requestId);
  }
  if (target === undefined || target.service !== signature.service) {
    const text = `The emulator has no service ${signature.service}, or X-Amz-Target names another service`;
    throw new AwsError(400, 'UnknownOperationException', text);
  }
  const { operation } = target;
  const output = await services.json[target.service]({ principal, operation, input: parseJson(body) });
  return jsonAnswer(target, output, requestId);
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

function parseJson(body: Buffer): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(body.toString('utf8'));
    if (isJsonObject(value)) {
      return value;
    }
  } catch {
    // Answered below, like every body that is not a JSON object.
  }
  throw new AwsError(400, 'SerializationException', 'Start of structure or map found where not expected.');
}

function toAwsError(error: unknown, request: ReceivedRequest, { log, disk }: Dispatch): AwsError {
  disk.noteFailure(error);
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
