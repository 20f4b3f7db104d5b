import { readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import * as v from 'valibot';
import type { Answer } from '../protocols/answer.ts';
import type { ReceivedRequest } from '../protocols/request.ts';
import { AwsError } from '../shared/errors.ts';

/**
 * Ways in which a service of AWS can fail its callers, for tests:
 *
 * - `slow`: the call is carried out, and its answer comes {@link slowMilliseconds} later. S3 also carries the call out
 *   later;
 * - `throttling`, `failing`: the service's own error, and nothing is carried out;
 * - `garbage`: a success whose body is not in the protocol of the service, and nothing is carried out. S3's answer to a
 *   PUT has no body that could be wrong, so S3 answers a PUT with 500;
 * - `stalled`: a success that begins and never ends, and nothing is carried out.
 */
export const faultKinds = ['slow', 'throttling', 'failing', 'garbage', 'stalled'] as const;

export type Fault = (typeof faultKinds)[number];

/** The services that functions call. */
export const faultyServices = ['dynamodb', 'secretsmanager', 'sts', 's3'] as const;

export type FaultyService = (typeof faultyServices)[number];

/** The fault of each service that has one now. */
export type Faults = Readonly<Partial<Record<FaultyService, Fault>>>;

/** What the body of a garbage answer holds. None of it belongs in a log. */
export const garbage = 'garbage {';

const slowMilliseconds = 5_000;

const schema = v.strictObject(v.entriesFromList(faultyServices, v.exactOptional(v.picklist(faultKinds))));

/**
 * Sets the faults of a running emulator; no faults end them all. The emulator reads the file with each call that a
 * function makes, so that it needs no restart.
 *
 * @param stateDirectory state folder of the emulator. The file in it is `faults.json`, and is absent without faults
 */
export function setFaults(stateDirectory: string, faults: Faults): void {
  const path = faultsFile(stateDirectory);
  if (Object.keys(faults).length === 0) {
    rmSync(path, { force: true });
    return;
  }
  writeFileSync(`${path}.new`, JSON.stringify(faults));
  renameSync(`${path}.new`, path);
}

export function faultsFile(stateDirectory: string): string {
  return join(stateDirectory, 'faults.json');
}

/** @throws {Error} when there is a file and it is not understood */
function readFaults(path: string): Faults {
  try {
    return v.parse(schema, JSON.parse(readFileSync(path, 'utf8')));
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') {
      return {};
    }
    throw error;
  }
}

/** A fault, and the service that has it. */
export interface FoundFault {
  readonly service: FaultyService;
  readonly fault: Fault;
}

/** Finds the fault that a call gets. Reads the control file each time. */
export type FindFault = (
  service: string | undefined,
  accessKeyId: string | undefined,
) => FoundFault | undefined;

/**
 * Only calls that are signed with the credentials of a role get a fault. The operator must be able to look at what a
 * fault did, and clients that PUT to a presigned URL are not functions.
 *
 * @param path path of the control file; without one there are no faults
 */
export function createFindFault(path: string | undefined): FindFault {
  return (serviceName, accessKeyId) => {
    const service = faultyServices.find((name) => name === serviceName);
    if (path === undefined || service === undefined || !accessKeyId?.startsWith('ASIA')) {
      return undefined;
    }
    const fault = readFaults(path)[service];
    return fault === undefined ? undefined : { service, fault };
  };
}

/** Begins an answer and does not go on, for longer than anybody waits. */
export function stall({ response }: ReceivedRequest): void {
  response.writeHead(200, { 'content-length': '1000' });
  response.write('{"');
  const timer = setTimeout(() => response.destroy(), stalledMilliseconds).unref();
  response.once('close', () => clearTimeout(timer));
}

const stalledMilliseconds = 30_000;

/** Waits as a slow service does. The end of the process does not wait for it. */
export async function delayAnswer(): Promise<void> {
  await delay(slowMilliseconds, undefined, { ref: false });
}

const throttled: Readonly<Record<FaultyService, AwsError>> = {
  dynamodb: new AwsError(400, 'ProvisionedThroughputExceededException', 'Throughput exceeds the limit.'),
  secretsmanager: new AwsError(400, 'ThrottlingException', 'Rate exceeded'),
  sts: new AwsError(400, 'Throttling', 'Rate exceeded'),
  s3: new AwsError(503, 'SlowDown', 'Please reduce your request rate.'),
};

const failed: Readonly<Record<FaultyService, AwsError>> = {
  dynamodb: new AwsError(500, 'InternalServerError', 'Internal server error'),
  secretsmanager: new AwsError(500, 'InternalServiceError', 'An error occurred on the server side.'),
  sts: new AwsError(500, 'InternalFailure', 'The request processing has failed.'),
  s3: new AwsError(500, 'InternalError', 'We encountered an internal error. Please try again.'),
};

/**
 * The answer of a service that does not carry a call out; undefined when the service carries it out.
 *
 * @param formatError writes an error in the protocol of the service
 */
export function faultyAnswer(
  { service, fault }: FoundFault,
  request: ReceivedRequest,
  formatError: (error: AwsError) => Answer,
): Answer | undefined {
  switch (fault) {
    case 'slow':
    case 'stalled':
      return undefined;
    case 'throttling':
      return formatError(throttled[service]);
    case 'failing':
      return formatError(failed[service]);
    case 'garbage': {
      const { headers = {} } = formatError(failed[service]);
      const status = service === 's3' && request.method === 'PUT' ? 500 : 200;
      return { status, headers, body: `\u0000${garbage}"<` };
    }
  }
}
