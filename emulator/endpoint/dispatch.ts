import { type Authentication, authenticateServiceRequest } from '../authentication/authenticate.ts';
import type { Principal } from '../authentication/credentials.ts';
import { type ClaimedSignature, parseAuthorization } from '../authentication/signature.ts';
import { type Answer, isOpen, sendAnswer } from '../protocols/answer.ts';
import {
  type JsonServiceName,
  jsonAnswer,
  jsonErrorAnswer,
  parseTarget,
} from '../protocols/json-protocol.ts';
import { queryAnswer, queryErrorAnswer } from '../protocols/query-protocol.ts';
import { type ReceivedRequest, readBody } from '../protocols/request.ts';
import type { Service } from '../protocols/service.ts';
import { errorAnswer } from '../s3/errors.ts';
import { AwsError } from '../shared/errors.ts';
import { beSlow, faultyAnswer, type MeetFault, stall } from './faults.ts';

/** Largest body of a service other than S3, in bytes: DynamoDB's limit. */
const largestBody = 16 * 1024 * 1024;

/** The services behind the one endpoint. */
export interface Services {
  readonly json: Readonly<Record<JsonServiceName, Service>>;
  readonly sts: Service;
  readonly lambda: (request: ReceivedRequest, principal: Principal, body: Buffer) => Promise<Answer>;
  readonly s3: (request: ReceivedRequest) => Promise<void>;
}

interface Dispatch {
  readonly services: Services;
  readonly authentication: Authentication;
  readonly meetFault: MeetFault;
  readonly log: (line: Readonly<Record<string, unknown>>) => void;
}

/**
 * Sends each request to the service that it was signed for; what is not signed in a header is S3's, whose
 * requests can be signed in the query, unless its X-Amz-Target names another.
 */
export async function dispatch(request: ReceivedRequest, parts: Dispatch): Promise<void> {
  const header = request.headers.authorization;
  const claimed = header === undefined ? undefined : parseAuthorization(header);
  const target = parseTarget(request.headers['x-amz-target']);
  const toS3 = target === undefined && (claimed === undefined || claimed.service === 's3');
  const speak = (error: AwsError) => {
    if (toS3) return errorAnswer(error, request.path, request.requestId);
    return claimed?.service === 'sts'
      ? queryErrorAnswer(error, request.requestId)
      : jsonErrorAnswer(target, error, request.requestId);
  };
  const met = parts.meetFault(claimed?.service, claimed?.accessKeyId);
  if (met?.fault === 'stalled') return stall(request);
  const faulty = met && faultyAnswer(met, request, speak);
  if (faulty !== undefined) return sendAnswer(request, faulty);
  if (toS3) {
    if (met !== undefined) await beSlow();
    return parts.services.s3(request);
  }
  const answered = await answer(request, claimed, parts).catch((error) =>
    speak(toAwsError(error, request, parts)),
  );
  if (met !== undefined) await beSlow();
  if (isOpen(request.response)) await sendAnswer(request, answered);
}

async function answer(
  request: ReceivedRequest,
  claimed: ClaimedSignature | undefined,
  { services, authentication }: Dispatch,
): Promise<Answer> {
  if (claimed === undefined) {
    if (request.headers.authorization !== undefined) {
      const text = 'Authorization header requires Credential, SignedHeaders and Signature.';
      throw new AwsError(400, 'IncompleteSignatureException', text);
    }
    throw new AwsError(400, 'MissingAuthenticationTokenException', 'Request is missing Authentication Token');
  }
  const body = await readBody(request, largestBody);
  const principal = await authenticateServiceRequest(request, claimed, body, authentication);
  if (claimed.service === 'lambda') return services.lambda(request, principal, body);
  if (claimed.service === 'sts') {
    const { Action: operation = '', ...input } = Object.fromEntries(
      new URLSearchParams(body.toString('utf8')),
    );
    return queryAnswer(operation, await services.sts({ principal, operation, input }), request.requestId);
  }
  const target = parseTarget(request.headers['x-amz-target']);
  if (target === undefined || target.service !== claimed.service) {
    const text = `The service ${claimed.service} is not served locally, or its X-Amz-Target is another's`;
    throw new AwsError(400, 'UnknownOperationException', text);
  }
  const { operation } = target;
  const output = await services.json[target.service]({ principal, operation, input: parseJson(body) });
  return jsonAnswer(target, output, request.requestId);
}

function parseJson(body: Buffer): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(body.toString('utf8'));
    if (typeof value === 'object' && value !== null && !Array.isArray(value))
      return value as Record<string, unknown>;
  } catch {
    // Answered below, like every body that is no JSON object.
  }
  throw new AwsError(400, 'SerializationException', 'Start of structure or map found where not expected.');
}

function toAwsError(error: unknown, request: ReceivedRequest, { log }: Dispatch): AwsError {
  if (error instanceof AwsError && error.status < 500) return error;
  const { requestId } = request;
  const reason =
    error instanceof AwsError ? { ...error.details, text: error.message } : { text: String(error) };
  if (isOpen(request.response))
    log({ level: 'error', message: 'local AWS failed', request_id: requestId, ...reason });
  return error instanceof AwsError
    ? error
    : new AwsError(500, 'InternalFailure', 'The local endpoint failed.');
}
