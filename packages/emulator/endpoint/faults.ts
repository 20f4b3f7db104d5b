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
 * Ways in which a service of AWS can fail its callers, for tests:
 *
 * - `slow`: the call is carried out, and the response comes five seconds later. S3 also carries the call out later;
 * - `throttling`, `failing`: the service answers with its own error, and the call is not carried out. EventBridge answers
 *   200, with its error for each entry;
 * - `garbage`: the service answers with a success whose body is not in its protocol, and the call is not carried out.
 *   S3's responses to PUT and HEAD have no body that could be wrong, so S3 answers these calls with 500;
 * - `stalled`: the service begins a response and never ends it, and the call is not carried out.
 */
export const faultKinds = ['slow', 'throttling', 'failing', 'garbage', 'stalled'] as const;

/** The services that functions call. Lambda and EventBridge call SQS too, to send dead letters. */
export const faultyServices = ['dynamodb', 'secretsmanager', 'sts', 's3', 'sqs', 'events'] as const;

export type FaultyService = (typeof faultyServices)[number];

const operations = [
  ...tableOperations,
  ...Object.keys(s3Operations),
  ...['AssumeRole', 'GetCallerIdentity', 'PutEvents', 'SendMessage'],
  ...['DescribeSecret', 'GetSecretValue', 'PutSecretValue', 'UpdateSecretVersionStage'],
];

/** Some calls of a service, and their fault. The SDK repeats a call that has failed: each attempt counts as a call. */
const callsSchema = v.strictObject({
  /** `conflict`: S3 answers a PUT with `If-None-Match` as if another write to the key were running. */
  fault: v.picklist([...faultKinds, 'conflict']),
  /** As the API reference names it: `GetItem`. Default: every operation. */
  operation: v.exactOptional(v.picklist(operations)),
  /** Name of a table of DynamoDB. Default: every table. */
  table: v.exactOptional(v.string()),
  /** How many of these calls have the fault, or still have it. Default: all. */
  calls: v.optional(v.number(), Infinity),
});

export type FaultyCalls = Readonly<v.InferInput<typeof callsSchema>>;

export type Fault = FaultyCalls['fault'];

/** The faults by service: one fault for all calls, or a list. Of the list, the first entry that fits a call counts. */
export type Faults = Readonly<Partial<Record<FaultyService, Fault | readonly FaultyCalls[]>>>;

/** The content of `faults.json`. With another id, the emulator counts calls from 0 again. */
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

type FaultFile = v.InferOutput<typeof fileSchema>;

/** What the body of a `garbage` answer contains. No log may contain it. */
export const garbage = 'garbage {';

/**
 * Sets the faults of a running emulator, and counts calls from now on. Without faults, every earlier fault ends. The
 * emulator reads the faults at each call of a function and each request to a presigned URL, so it needs no restart.
 *
 * @param stateDirectory state folder of the emulator, which has a file `faults.json` while there are faults
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

/** What a call does. */
export interface FaultyCall {
  readonly operation: string | undefined;
  readonly table?: string | undefined;
  /** Whether the call is a PUT with `If-None-Match`. */
  readonly isConditional?: boolean;
}

/** Finds the fault of a call. Reads what the call does only while there are faults. */
export type FindFault = (
  service: string | undefined,
  readCall: () => Promise<FaultyCall>,
) => Promise<Fault | undefined>;

/** @param path path of the control file; undefined: there are no faults */
export function createFaultFinder(path: string | undefined): FindFault {
  let read: { readonly text: string; readonly faults: FaultFile['faults'] } = { text: '', faults: {} };
  return async (service, readCall) => {
    // Usually there is no file. Asking first takes a fraction of the time of a read that fails.
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
 * In words of the API references. The conflict was recorded on 2026-02-21, of a multipart upload: LocalStack's test
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

/** Waits as long as a slow service takes. The end of the process does not wait for this. */
export function delayResponse(): Promise<void> {
  return delay(slowMilliseconds, undefined, { ref: false });
}

/** Begins a response and does not go on, for longer than any client waits. */
export function stall({ response }: ReceivedRequest): void {
  response.writeHead(200, { 'content-length': '1000' });
  response.write('{"');
  const timer = setTimeout(() => response.destroy(), stalledMilliseconds).unref();
  response.once('close', () => clearTimeout(timer));
}

/**
 * The response of a service that does not carry a call out.
 *
 * @param formatError writes an error in the protocol of the service
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

/** What PutEvents returns if EventBridge takes no entry (API reference, PutEventsResultEntry). */
export function rejectEntries({ code, message }: AwsError, { Entries }: Input): Output {
  const rejected = Array.from(Object(Entries), () => ({ ErrorCode: code, ErrorMessage: message }));
  return { FailedEntryCount: rejected.length, Entries: rejected };
}
