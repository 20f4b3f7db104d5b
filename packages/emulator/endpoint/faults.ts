import { randomUUID } from 'node:crypto';
import { existsSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import * as v from 'valibot';
import { tableOperations } from '../dynamodb/table-operations.ts';
import type { ReceivedRequest } from '../protocols/request.ts';
import type { Input, Output } from '../protocols/service.ts';
import { operations as s3Operations } from '../s3/operations.ts';
import type { HttpResponse } from '../server/write-response.ts';
import { AwsError } from '../shared/errors.ts';

/**
 * Faults of an AWS service, for tests:
 *
 * - `slow`: the service runs the call and responds five seconds later. S3 also runs the call later;
 * - `throttling`, `failing`: the service responds with its own error and does not run the call. EventBridge
 * responds with 200 and an error for each entry;
 * - `garbage`: the service responds with a success, but its body is not in the protocol, and the call does
 * not run. S3's responses to PUT and HEAD have no body to corrupt: S3 responds to these calls with 500;
 * - `stalled`: the service begins a response and never ends it. The call does not run.
 */
export const faultKinds = ['slow', 'throttling', 'failing', 'garbage', 'stalled'] as const;

/** Services that functions call. Lambda and EventBridge call SQS too, to send dead letters. */
export const faultyServices = ['dynamodb', 'secretsmanager', 'sts', 's3', 'sqs', 'events'] as const;

export type FaultyService = (typeof faultyServices)[number];

const operations = [
  ...tableOperations,
  ...Object.keys(s3Operations),
  ...['AssumeRole', 'GetCallerIdentity', 'PutEvents', 'SendMessage'],
  ...['DescribeSecret', 'GetSecretValue', 'PutSecretValue', 'UpdateSecretVersionStage'],
];

/**
 * A fault, and the calls of a service that it affects. The SDK retries a failed call: each attempt counts as
 * a call.
 */
const callsSchema = v.strictObject({
  /**
   * `conflict`: S3 responds to a PUT with `If-None-Match` as if a concurrent write to the key were running.
   */
  fault: v.picklist([...faultKinds, 'conflict']),
  /** Operation as the API reference names it: `GetItem`. Default: every operation. */
  operation: v.exactOptional(v.picklist(operations)),
  /** Name of a table of DynamoDB. Default: every table. */
  table: v.exactOptional(v.string()),
  /** Number of calls, or of remaining calls, with the fault. Default: all. */
  calls: v.optional(v.number(), Infinity),
});

export type FaultyCalls = Readonly<v.InferInput<typeof callsSchema>>;

export type Fault = FaultyCalls['fault'];

/**
 * Faults by service: one fault for all calls, or a list. The first entry of the list that matches a call
 * applies.
 */
export type Faults = Readonly<Partial<Record<FaultyService, Fault | readonly FaultyCalls[]>>>;

/** Content of `faults.json`. After a change of the id, the emulator counts calls from 0 again. */
const fileSchema = v.strictObject({
  id: v.string(),
  faults: v.record(
    v.picklist(faultyServices),
    v.pipe(
      v.unknown(),
      v.transform((given) => (Array.isArray(given) ? given : [{ fault: given }])),
      v.array(callsSchema),
    ),
  ),
});

/** Body of a `garbage` response. No log may contain it. */
export const garbage = 'garbage {';

/**
 * Sets the faults of a running emulator, and starts to count calls. Replaces all earlier faults. The emulator
 * reads the faults at each call of a function and each request to a presigned URL: no restart is needed.
 *
 * @param stateDirectory state folder of the emulator, which contains a file `faults.json` while faults are
 * set
 * @throws {v.ValiError} naming an unknown service, operation or fault
 */
export function setFaults(stateDirectory: string, faults: Faults): void {
  const path = faultsFile(stateDirectory);
  if (Object.keys(faults).length === 0) {
    rmSync(path, { force: true });
    return;
  }
  const content: unknown = { id: randomUUID(), faults };
  v.assert(fileSchema, content);
  writeFileSync(`${path}.new`, JSON.stringify(content));
  renameSync(`${path}.new`, path);
}

export function faultsFile(stateDirectory: string): string {
  return join(stateDirectory, 'faults.json');
}

/** Details of a call that decide about its fault. */
export interface FaultyCall {
  readonly operation: string | undefined;
  readonly table?: string | undefined;
  /** True for a PUT with `If-None-Match`. */
  readonly isConditional?: boolean;
}

/** Finds the fault of a call. Reads the details of the call only while faults are set. */
export type FindFault = (
  service: string | undefined,
  readCall: () => Promise<FaultyCall>,
) => Promise<Fault | undefined>;

/** @param path path of the control file; undefined: no faults */
export function createFaultFinder(path: string | undefined): FindFault {
  let read: { readonly text: string; readonly faults: v.InferOutput<typeof fileSchema>['faults'] } = {
    text: '',
    faults: {},
  };
  return async (service, readCall) => {
    // By default there is no file. An existence check is much faster than a failed read.
    if (path === undefined || service === undefined || !existsSync(path)) {
      return undefined;
    }
    const text = readFileSync(path, 'utf8');
    if (text !== read.text) {
      read = { text, faults: v.parse(fileSchema, JSON.parse(text)).faults };
    }
    const faulty = Object.entries(read.faults).find(([name]) => name === service)?.[1];
    if (faulty === undefined) {
      return undefined;
    }
    const call = await readCall();
    const found = faulty.find(
      ({ fault, operation = call.operation, table = call.table }) =>
        operation === call.operation &&
        table === call.table &&
        (fault !== 'conflict' || call.isConditional === true),
    );
    if (found === undefined || found.calls === 0) {
      return undefined;
    }
    found.calls -= 1;
    return found.fault;
  };
}

const internalFailure = new AwsError(
  500,
  'InternalFailure',
  'The request processing has failed because of an unknown error, exception or failure.',
);

const throttled = new AwsError(
  400,
  'ThrottlingException',
  'The request was denied due to request throttling.',
);

const onServer = 'An error occurred on the server side.';

/**
 * Messages from the API references. The conflict was recorded on 2026-02-21, of a multipart upload:
 * LocalStack's test
 * `s3/test_s3_api.py::TestS3ObjectWritePrecondition::test_multipart_if_none_match_with_delete`.
 */
const errors: Readonly<Record<string, ConstructorParameters<typeof AwsError>>> = {
  'dynamodb throttling': [
    400,
    'ProvisionedThroughputExceededException',
    'You exceeded your maximum allowed provisioned throughput.',
  ],
  's3 throttling': [503, 'SlowDown', 'Please reduce your request rate.'],
  'sts throttling': [400, 'Throttling', 'Rate exceeded'],
  'dynamodb failing': [500, 'InternalServerError', onServer],
  's3 failing': [500, 'InternalError', 'We encountered an internal error. Please try again.'],
  'secretsmanager failing': [500, 'InternalServiceError', onServer],
  's3 conflict': [
    409,
    'ConditionalRequestConflict',
    'The conditional request cannot succeed due to a conflicting operation against this resource.',
    { Condition: 'If-None-Match' },
  ],
};

const slowMilliseconds = 5_000;

const stalledMilliseconds = 30_000;

/** Waits for the delay of a slow service. The wait does not keep the process alive. */
export function delayResponse(): Promise<void> {
  return delay(slowMilliseconds, undefined, { ref: false });
}

/** Begins a response and pauses for longer than any client waits. */
export function stall({ response }: ReceivedRequest): void {
  response.writeHead(200, { 'content-length': '1000' });
  response.write('{"');
  const timer = setTimeout(() => response.destroy(), stalledMilliseconds).unref();
  response.once('close', () => clearTimeout(timer));
}

/**
 * Creates the response of a service that does not run a call.
 *
 * @param formatError function that writes an error in the protocol of the service
 */
export function faultyResponse(
  fault: Fault,
  service: string,
  { method }: ReceivedRequest,
  formatError: (error: AwsError) => HttpResponse,
): HttpResponse {
  if (fault !== 'garbage') {
    const defaultError = fault === 'throttling' ? throttled : internalFailure;
    const own = errors[`${service} ${fault}`];
    return formatError(own === undefined ? defaultError : new AwsError(...own));
  }
  const hasBody = service !== 's3' || (method !== 'PUT' && method !== 'HEAD');
  return { ...formatError(internalFailure), status: hasBody ? 200 : 500, body: `\u0000${garbage}"<` };
}

/** Response of PutEvents if EventBridge rejects all entries (API reference, PutEventsResultEntry). */
export function rejectEntries({ code, message }: AwsError, { Entries }: Input): Output {
  const rejected = Array.from(Object(Entries), () => ({ ErrorCode: code, ErrorMessage: message }));
  return { FailedEntryCount: rejected.length, Entries: rejected };
}
