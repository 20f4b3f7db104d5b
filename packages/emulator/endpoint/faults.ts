import { randomUUID } from 'node:crypto';
import { renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as v from 'valibot';

/**
 * Ways in which a service of AWS can fail its callers, for tests:
 *
 * - `slow`: the call is carried out, and its answer comes five seconds later. S3 also carries the call out later;
 * - `throttling`, `failing`: the service's own error, and nothing is carried out;
 * - `garbage`: a success whose body is not in the protocol of the service, and nothing is carried out. S3's answers to
 *   PUT and HEAD have no body that could be wrong, so S3 answers these with 500;
 * - `stalled`: a success that begins and never ends, and nothing is carried out.
 */
export const faultKinds = ['slow', 'throttling', 'failing', 'garbage', 'stalled'] as const;

export type Fault = (typeof faultKinds)[number];

/**
 * The services that functions call, and the operations that a fault can choose, as IAM names them. Lambda and EventBridge
 * call SQS: they send their dead letters.
 */
export const faultyOperations = {
  dynamodb: ['DeleteItem', 'GetItem', 'PutItem', 'Query', 'Scan', 'UpdateItem'],
  secretsmanager: [
    'DescribeSecret',
    'GetSecretValue',
    'PutSecretValue',
    'RotateSecret',
    'UpdateSecretVersionStage',
  ],
  sts: ['AssumeRole', 'GetCallerIdentity'],
  s3: ['DeleteObject', 'GetObject', 'GetObjectTagging', 'PutObject', 'PutObjectTagging'],
  sqs: ['SendMessage'],
} as const;

export type FaultyService = keyof typeof faultyOperations;

export const faultyServices = Object.keys(faultyOperations) as readonly FaultyService[];

/** Some calls of a service, and their fault. The SDK repeats a call that failed: each attempt counts as a call. */
export interface FaultyCalls<Service extends FaultyService = FaultyService> {
  readonly fault: Fault;
  /** Default: every operation. */
  readonly operation?: (typeof faultyOperations)[Service][number];
  /** Name of a table of DynamoDB. Default: every table. */
  readonly table?: string;
  /** How many of these calls come through before the first fault. Default 0. */
  readonly after?: number;
  /** How many calls then have the fault. Default: all. */
  readonly calls?: number;
}

/** The faults of each service that has some now: one for all its calls, or a list. The first of the list that fits counts. */
export type Faults = Readonly<{
  [Service in FaultyService]?: Fault | readonly FaultyCalls<Service>[];
}>;

/** What the body of a garbage answer holds. None of it belongs in a log. */
export const garbage = 'garbage {';

const faultSchema = v.picklist(faultKinds);
const countSchema = v.pipe(v.number(), v.integer(), v.minValue(0));

function faultsOf<const Service extends FaultyService>(service: Service) {
  const calls = v.strictObject({
    fault: faultSchema,
    operation: v.exactOptional(v.picklist(faultyOperations[service])),
    table: v.exactOptional(v.string()),
    after: v.exactOptional(countSchema),
    calls: v.exactOptional(countSchema),
  });
  return v.exactOptional(v.union([faultSchema, v.array(calls)]));
}

const schema = v.strictObject({
  /** Another one begins to count calls anew. */
  id: v.exactOptional(v.string()),
  dynamodb: faultsOf('dynamodb'),
  secretsmanager: faultsOf('secretsmanager'),
  sts: faultsOf('sts'),
  s3: faultsOf('s3'),
  sqs: faultsOf('sqs'),
});

/**
 * Sets the faults of a running emulator; no faults end them all. The emulator reads the file with each call that a
 * function makes, so that it needs no restart. Calls are counted from here on.
 *
 * @param stateDirectory state folder of the emulator. The file in it is `faults.json`, and is absent without faults
 */
export function setFaults(stateDirectory: string, faults: Faults): void {
  const path = faultsFile(stateDirectory);
  if (Object.keys(faults).length === 0) {
    rmSync(path, { force: true });
    return;
  }
  writeFileSync(`${path}.new`, JSON.stringify({ id: randomUUID(), ...faults }));
  renameSync(`${path}.new`, path);
}

export function faultsFile(stateDirectory: string): string {
  return join(stateDirectory, 'faults.json');
}

/**
 * Reads the text of the control file.
 *
 * @throws {Error} when it is not understood
 */
export function parseFaults(text: string): Faults {
  const { id: _, ...faults } = v.parse(schema, JSON.parse(text));
  return faults;
}
