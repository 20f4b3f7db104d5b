import { readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import * as v from 'valibot';
import type { Answer } from '../protocols/answer.ts';
import type { ReceivedRequest } from '../protocols/request.ts';
import { AwsError } from '../shared/errors.ts';

/**
 * Ways in which a service of AWS lets its callers down, for tests:
 *
 * - `slow`: the call is carried out, and its answer comes {@link slowMilliseconds} later (S3: the call is carried
 *   out later too);
 * - `throttling`, `failing`: the service's own error, and nothing is carried out;
 * - `garbage`: a success whose body is not in the service's protocol, and nothing is carried out. S3 answers a PUT
 *   with no body that could be wrong, so there it is a 500 with one;
 * - `stalled`: a success that begins and does not go on, and nothing is carried out.
 */
export const faultKinds = ['slow', 'throttling', 'failing', 'garbage', 'stalled'] as const;

export type Fault = (typeof faultKinds)[number];

/** The services that functions call. */
export const faultyServices = ['dynamodb', 'secretsmanager', 'sts', 's3'] as const;

export type FaultyService = (typeof faultyServices)[number];

/** The fault of each service that has one now. */
export type Faults = Readonly<Partial<Record<FaultyService, Fault>>>;

/** What the body of a garbage answer holds: nothing of it belongs in a log. */
export const garbage = 'garbage {';

export const slowMilliseconds = 5_000;

const schema = v.strictObject(v.entriesFromList(faultyServices, v.exactOptional(v.picklist(faultKinds))));

/**
 * Sets the faults of a local run, from now on; none at all puts an end to them. The run looks at the file with every
 * call that a function makes, so it needs no restart.
 *
 * @param stateDirectory state folder of the run: the file is `faults.json` in it, and absent without faults
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

/** @throws {Error} when the file is there and not understood */
function readFaults(path: string): Faults {
  try {
    return v.parse(schema, JSON.parse(readFileSync(path, 'utf8')));
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return {};
    throw error;
  }
}

/** A fault, and whose it is. */
export interface MetFault {
  readonly service: FaultyService;
  readonly fault: Fault;
}

/** The fault that a call meets. Reads the control file anew. */
export type MeetFault = (
  service: string | undefined,
  accessKeyId: string | undefined,
) => MetFault | undefined;

/**
 * Only calls signed with a role's credentials meet any fault: the operator must be able to look at what one did, and
 * clients that PUT to an upload URL are no functions.
 *
 * @param path of the control file; without one there are no faults
 */
export function createMeetFault(path: string | undefined): MeetFault {
  return (serviceName, accessKeyId) => {
    const service = faultyServices.find((name) => name === serviceName);
    if (path === undefined || service === undefined || !accessKeyId?.startsWith('ASIA')) return undefined;
    const fault = readFaults(path)[service];
    return fault === undefined ? undefined : { service, fault };
  };
}

/** Begins an answer and leaves it at that, for longer than anybody waits. */
export function stall({ response }: ReceivedRequest): void {
  response.writeHead(200, { 'content-length': '1000' });
  response.write('{"');
  const timer = setTimeout(() => response.destroy(), stalledMilliseconds).unref();
  response.once('close', () => clearTimeout(timer));
}

const stalledMilliseconds = 30_000;

/** Waits as a slow service does. The end of the run does not wait for it. */
export async function beSlow(): Promise<void> {
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
 * What a service answers instead of carrying a call out; undefined when it carries it out after all.
 *
 * @param speak writes an error in the service's protocol
 */
export function faultyAnswer(
  { service, fault }: MetFault,
  request: ReceivedRequest,
  speak: (error: AwsError) => Answer,
): Answer | undefined {
  switch (fault) {
    case 'slow':
    case 'stalled':
      return undefined;
    case 'throttling':
      return speak(throttled[service]);
    case 'failing':
      return speak(failed[service]);
    case 'garbage': {
      const { headers = {} } = speak(failed[service]);
      const status = service === 's3' && request.method === 'PUT' ? 500 : 200;
      return { status, headers, body: `\u0000${garbage}"<` };
    }
  }
}
