import { randomUUID } from 'node:crypto';
import { existsSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { ReceivedRequest } from '../protocols/request.ts';
import type { Answer } from '../server/write-answer.ts';
import { AwsError } from '../shared/errors.ts';

/**
 * Ways in which a service of AWS can fail its callers, for tests:
 *
 * - `slow`: the call is carried out, and the answer comes five seconds later. S3 also carries the call out later;
 * - `throttling`, `failing`: the service answers with its own error, and the call is not carried out;
 * - `garbage`: the service answers with a success whose body is not in its protocol, and the call is not carried out.
 *   S3's answers to PUT and HEAD have no body that could be wrong, so S3 answers these calls with 500;
 * - `stalled`: the service begins an answer and never ends it, and the call is not carried out.
 */
export const faultKinds = ['slow', 'throttling', 'failing', 'garbage', 'stalled'] as const;

export type Fault = (typeof faultKinds)[number];

/** The services that functions call. Lambda and EventBridge call SQS too, to send dead letters. */
export const faultyServices = ['dynamodb', 'secretsmanager', 'sts', 's3', 'sqs'] as const;

export type FaultyService = (typeof faultyServices)[number];

/** Some calls of a service, and their fault. The SDK repeats a call that has failed: each attempt counts as a call. */
export interface FaultyCalls {
  readonly fault: Fault;
  /** As the API reference names it: `GetItem`. Default: every operation. */
  readonly operation?: string;
  /** Name of a table of DynamoDB. Default: every table. */
  readonly table?: string;
  /** How many of these calls succeed before the first fault. Default 0. */
  readonly after?: number;
  /** How many calls have the fault after that. Default: all. */
  readonly calls?: number;
}

/** The faults by service: one fault for all calls, or a list. Of the list, the first entry that fits a call counts. */
export type Faults = Readonly<Partial<Record<FaultyService, Fault | readonly FaultyCalls[]>>>;

/** The content of `faults.json`. With another id, the emulator counts calls from 0 again. */
interface FaultsFile {
  readonly id: string;
  readonly faults: Faults;
}

/** What the body of a `garbage` answer contains. No log may contain it. */
export const garbage = 'garbage {';

/**
 * Sets the faults of a running emulator, and counts calls from now on. Without faults, every earlier fault ends. The
 * emulator reads the faults at each call of a function, so it needs no restart.
 *
 * @param stateDirectory state folder of the emulator, which has a file `faults.json` while there are faults
 */
export function setFaults(stateDirectory: string, faults: Faults): void {
  const path = faultsFile(stateDirectory);
  if (Object.keys(faults).length === 0) {
    rmSync(path, { force: true });
    return;
  }
  const content: FaultsFile = { id: randomUUID(), faults };
  writeFileSync(`${path}.new`, JSON.stringify(content));
  renameSync(`${path}.new`, path);
}

export function faultsFile(stateDirectory: string): string {
  return join(stateDirectory, 'faults.json');
}

/** What a call does. */
export interface FaultyCall {
  readonly operation: string | undefined;
  readonly table: string | undefined;
}

/** Finds the fault of a call. Reads what the call does only while there are faults. */
export type FindFault = (
  service: string | undefined,
  readCall: () => Promise<FaultyCall>,
) => Promise<Fault | undefined>;

/** @param path path of the control file; undefined: there are no faults */
export function createFaultFinder(path: string | undefined): FindFault {
  let read = { text: '', counted: new Map<string, readonly CountedCalls[]>() };
  return async (service, readCall) => {
    // Usually there is no file. Asking first takes a fraction of the time of a read that fails.
    if (path === undefined || service === undefined || !existsSync(path)) {
      return undefined;
    }
    const text = readFileSync(path, 'utf8');
    if (text !== read.text) {
      read = { text, counted: readFaults(text) };
    }
    const counted = read.counted.get(service);
    if (counted === undefined) {
      return undefined;
    }
    const call = await readCall();
    const found = counted.find(
      ({ calls: { operation = call.operation, table = call.table } }) =>
        operation === call.operation && table === call.table,
    );
    return found !== undefined && isDue(found) ? found.calls.fault : undefined;
  };
}

/** Calls that have a fault, and how many such calls have come. */
interface CountedCalls {
  readonly calls: FaultyCalls;
  seen: number;
}

function readFaults(text: string): Map<string, readonly CountedCalls[]> {
  const { faults } = JSON.parse(text) as FaultsFile;
  return new Map(
    Object.entries(faults).map(([service, given]) => {
      const list = typeof given === 'string' ? [{ fault: given }] : given;
      return [service, list.map((calls) => ({ calls, seen: 0 }))];
    }),
  );
}

/** Whether a call gets the fault. Counts the call. */
function isDue(counted: CountedCalls): boolean {
  const { after = 0, calls = Number.POSITIVE_INFINITY } = counted.calls;
  counted.seen += 1;
  return counted.seen > after && counted.seen <= after + calls;
}

const throttled: Readonly<Record<string, AwsError>> = {
  dynamodb: new AwsError(400, 'ProvisionedThroughputExceededException', 'Throughput exceeds the limit.'),
  secretsmanager: new AwsError(400, 'ThrottlingException', 'Rate exceeded'),
  sts: new AwsError(400, 'Throttling', 'Rate exceeded'),
  s3: new AwsError(503, 'SlowDown', 'Please reduce your request rate.'),
  sqs: new AwsError(400, 'RequestThrottled', 'The request was denied due to request throttling.'),
};

const failed: Readonly<Record<string, AwsError>> = {
  dynamodb: new AwsError(500, 'InternalServerError', 'Internal server error'),
  secretsmanager: new AwsError(500, 'InternalServiceError', 'An error occurred on the server side.'),
  s3: new AwsError(500, 'InternalError', 'We encountered an internal error. Please try again.'),
};

const internalFailure = new AwsError(500, 'InternalFailure', 'The request processing has failed.');

const slowMilliseconds = 5_000;

const stalledMilliseconds = 30_000;

/** Waits as long as a slow service takes. The end of the process does not wait for this. */
export async function delayAnswer(): Promise<void> {
  await delay(slowMilliseconds, undefined, { ref: false });
}

/** Begins an answer and does not go on, for longer than any client waits. */
export function stall({ response }: ReceivedRequest): void {
  response.writeHead(200, { 'content-length': '1000' });
  response.write('{"');
  const timer = setTimeout(() => response.destroy(), stalledMilliseconds).unref();
  response.once('close', () => clearTimeout(timer));
}

/**
 * The answer of a service that does not carry a call out.
 *
 * @param formatError writes an error in the protocol of the service
 */
export function faultyAnswer(
  fault: 'throttling' | 'failing' | 'garbage',
  service: string,
  { method }: ReceivedRequest,
  formatError: (error: AwsError) => Answer,
): Answer {
  const failure = formatError(failed[service] ?? internalFailure);
  switch (fault) {
    case 'throttling':
      return formatError(throttled[service] ?? internalFailure);
    case 'failing':
      return failure;
    case 'garbage': {
      const hasBody = service !== 's3' || (method !== 'PUT' && method !== 'HEAD');
      return { ...failure, status: hasBody ? 200 : 500, body: `\u0000${garbage}"<` };
    }
  }
}
