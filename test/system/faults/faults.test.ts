/**
 * Injects faults into AWS services while clients call and upload, then checks the responses and the stored
 * data. See packages/emulator/endpoint/faults.ts for the effect of each fault.
 */
import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import {
  type Fault,
  type FaultyCalls,
  type FaultyService,
  faultKinds,
  faultyServices,
  garbage,
  setFaults,
} from 'cloud-assembly-emulator/faults';
import { internalErrorBody } from '../../../contract/bodies/internal-error.ts';
import { replayUploads } from '../../../tools/operator/uploads/replay.ts';
import { type ApiUser, createApiUser, type IssuedUrl } from '../../support/api-user.ts';
import { type RunningStack, startRunningStack } from '../../support/running-stack.ts';
import { readWritten, searchForSecrets } from '../../support/search-for-secrets.ts';
import { isLong, report, sizesOf, soakTimeout } from '../soak.ts';
import { describeBody, type KnownUpload, readState, stateOf } from '../stored-state.ts';

/**
 * Number of concurrent clients, each of which calls all endpoints at the same time, so that each function receives
 * this many requests; and number of times that each client calls every endpoint during a fault.
 */
const sizes = sizesOf({ clients: 2, rounds: 1 }, { clients: 8, rounds: 3 });

interface FaultCase {
  readonly service: FaultyService;
  readonly fault: Fault;
  /** Default: every operation. */
  readonly operation?: FaultyCalls['operation'];
  /** Table of DynamoDB, by the stack output with its name. Default: every table. */
  readonly table?: 'ClientsTableName' | 'FilesTableName' | 'UploadsTableName';
}

/** An endpoint that clients call. */
type Endpoint = 'token' | 'volumes' | 'sync' | 'key set' | 'openapi';

/** A line in the log of a function, of its own or of Lambda. */
type LogLine = Readonly<Record<string, unknown>>;

/** Checks the responses and the stored data, and returns the responses to clients during each fault. */
async function run(cases: readonly FaultCase[]) {
  const stack = await startRunningStack();
  try {
    const user = await createApiUser(stack);
    const met: Awaited<ReturnType<typeof meet>>[] = [];
    for (const one of cases) {
      met.push(await meet(one, stack, user));
    }
    const responded500 = met.reduce((sum, { failures }) => sum + failures, 0);
    return { met, maxAttempts: await checkLogs(stack, responded500) };
  } finally {
    await stack.close();
  }
}

async function meet({ service, fault, operation, table }: FaultCase, stack: RunningStack, user: ApiUser) {
  const name = [service, operation, table, fault].filter(Boolean).join(' ');
  const known: KnownUpload[] = [];
  /** PUTs that S3 rejected. */
  const rejected: { readonly fileId: string; readonly url: string }[] = [];
  const failures: Endpoint[] = [];

  /** @returns body of a 200; undefined for a 500, which is allowed only during a fault */
  const bodyOf = async (endpoint: Endpoint, request: Promise<Response>, isFaulty: boolean) => {
    const response = await request;
    const text = await response.text();
    if (response.status === 200) {
      return text;
    }
    if (response.status === 500) {
      failures.push(endpoint);
    }
    const responded = [isFaulty, response.status, text, response.headers.get('content-type')];
    const rejection = [true, 500, JSON.stringify(internalErrorBody), 'application/json'];
    expect.soft(responded, `${name}: ${endpoint}`).toEqual(rejection);
    return undefined;
  };
  /**
   * Calls the endpoints that do not store data. Without a fault, they work immediately, and without a
   * restart.
   */
  const callOthers = (isFaulty: boolean) => {
    const { baseUrl } = stack;
    return Promise.all([
      bodyOf('token', user.requestToken(), isFaulty),
      bodyOf('volumes', user.volumes(), isFaulty),
      bodyOf('key set', fetch(`${baseUrl}/.well-known/jwks.json`), isFaulty),
      bodyOf('openapi', fetch(`${baseUrl}/v0/openapi.json`), isFaulty),
    ]);
  };
  const put = async (fileId: string, url: string) => {
    const body = Buffer.from(randomUUID());
    const isStored = await fetch(url, { method: 'PUT', body }).then(
      // A response that never ends is also a rejection.
      async (response) => (await response.text().catch(() => undefined)) !== undefined && response.ok,
    );
    if (isStored) {
      const uploadId = new URL(url).pathname.split('/').at(-1) ?? '';
      known.push({ uploadId, fileId, content: describeBody(body) });
    } else {
      rejected.push({ fileId, url });
    }
  };
  const load = async (fileId: string, issued: readonly IssuedUrl[]) => {
    for (const { url } of issued) {
      await put(fileId, url);
    }
    for (let round = 0; round < sizes.rounds; round += 1) {
      const [body] = await Promise.all([bodyOf('sync', user.sync(fileId), true), callOthers(true)]);
      if (body !== undefined) {
        await put(fileId, JSON.parse(body).data.upload_url);
      }
    }
  };

  await callOthers(false);
  const clients = await Promise.all(
    Array.from({ length: sizes.clients }, async () => {
      const fileId = await user.newFile();
      // Uploads for these URLs arrive during the fault.
      return { fileId, issued: [await user.issue(fileId), await user.issue(fileId)] };
    }),
  );
  // Cold functions read their secrets; warm ones would not notice the fault.
  if (service === 'secretsmanager') {
    await stack.endIdleEnvironments();
  }
  const tableName = table && { table: stack.deployment.outputs[table] };
  const faults = { [service]: [{ fault, ...(operation && { operation }), ...tableName }] };
  setFaults(stack.stateDirectory, faults);
  await Promise.all(clients.map(({ fileId, issued }) => load(fileId, issued)));
  // The fault must also affect functions that start late.
  await stack.eventsSettled();
  setFaults(stack.stateDirectory, {});

  // S3 did not store an object for a rejected PUT, so the URL still works.
  const again = rejected.splice(0);
  for (const { fileId, url } of again) {
    await put(fileId, url);
  }
  const unexpected = service === 's3' ? rejected : [...rejected, ...again];
  expect
    .soft(
      unexpected.map(({ fileId }) => fileId),
      `${name}: rejected PUTs`,
    )
    .toEqual([]);
  await callOthers(false);
  const replayed = await replay(stack);
  // An upload is due soon if EventBridge did not accept its event.
  await stack.runSchedules(new Date(Date.now() + 10 * 60_000));
  expect.soft(await readState(stack.deployment, known), name).toEqual(stateOf(known));
  const failed = [...new Set(failures)].sort();
  report(`${name}: responded with 500 by ${failed.join(', ') || 'nothing'}`);
  return { name, failed, replayed, failures: failures.length };
}

/**
 * Replays failed events. On a busy machine an AWS call may take too long. Its event then stays in the queue
 * for the next replay.
 */
async function replay(stack: RunningStack): Promise<number> {
  await stack.eventsSettled();
  let all = 0;
  const silent = { progress: () => undefined, note: () => undefined };
  for (let attempt = 1; attempt <= 3; attempt += 1) {
    const { replayed, failed } = await replayUploads({ deployment: stack.deployment, ...silent });
    all += replayed;
    if (failed === 0) {
      await stack.eventsSettled();
      return all;
    }
  }
  throw new Error('An event cannot be replayed');
}

/** Checks the logs of the functions, and returns the most attempts at one call of AWS. */
async function checkLogs({ stateDirectory }: RunningStack, responded500: number): Promise<number> {
  const written = await readWritten(join(stateDirectory, 'logs'));
  const lines = written
    .flatMap(({ bytes }) => bytes.toString('utf8').split('\n'))
    .filter((line) => line.startsWith('{'))
    .map((line): LogLine => JSON.parse(line));
  const failed = lines.filter(({ message }) => message === 'Request failed unexpectedly');
  expect.soft(failed).toHaveLength(responded500);
  expect.soft(lines.filter(isEndOfInvocation)).toEqual([]);
  expect.soft(searchForSecrets([], written).leaks).toEqual([]);
  // The response of AWS.
  const withGarbage = written.filter(({ bytes }) => bytes.includes(garbage));
  expect.soft(withGarbage.map(({ name }) => name)).toEqual([]);
  return Math.max(0, ...lines.map((line) => Number(line.aws_attempts ?? 0)));
}

/**
 * Returns true if Lambda ended an invocation, because of its timeout or because its process ended. A function
 * responds before its timeout, and so before API Gateway's timeout of 30 s. If no line is one, clients received
 * their responses in time; the test does not measure the time.
 */
function isEndOfInvocation({ message }: LogLine): boolean {
  return /^(Sandbox|Runtime)\./.test(String(Object(message).errorType));
}

/**
 * AWS operations that functions call for clients and uploads; for DynamoDB, with each table that is written.
 */
const operations = [
  { service: 'dynamodb', operation: 'GetItem', table: 'ClientsTableName' },
  { service: 'dynamodb', operation: 'GetItem', table: 'FilesTableName' },
  { service: 'dynamodb', operation: 'GetItem', table: 'UploadsTableName' },
  { service: 'dynamodb', operation: 'PutItem' },
  { service: 'dynamodb', operation: 'UpdateItem', table: 'FilesTableName' },
  { service: 'dynamodb', operation: 'UpdateItem', table: 'UploadsTableName' },
  { service: 'secretsmanager', operation: 'GetSecretValue' },
  { service: 's3', operation: 'HeadObject' },
  { service: 's3', operation: 'GetObjectTagging' },
  { service: 's3', operation: 'PutObject' },
] as const;

/** SQS is excluded: AWS calls SQS only for dead letters, which do not occur without another fault. */
const services = faultyServices.filter((service) => service !== 'sqs');

if (isLong) {
  test(
    'the same for every fault of every operation, under load',
    async () => {
      const calls = [...services.map((service) => ({ service })), ...operations];
      const { met, maxAttempts } = await run(
        calls
          .flatMap((call): FaultCase[] => faultKinds.map((fault) => ({ ...call, fault })))
          .concat({ service: 's3', operation: 'PutObject', fault: 'conflict' }),
      );
      report(JSON.stringify({ faults: met.length, maxAttempts }));
      expect(maxAttempts).toBe(3);
    },
    soakTimeout,
  );
} else {
  // One step fails while the steps around it work. A swallowed error would have visible effects in the later
  // steps.
  test(
    'while AWS fails, clients get 500 where needed, and later all works',
    async () => {
      // Two stacks at the same time, since a stack waits for AWS most of the time.
      const results = await Promise.all([
        run([
          { service: 'dynamodb', fault: 'slow' },
          { service: 'dynamodb', operation: 'UpdateItem', table: 'UploadsTableName', fault: 'throttling' },
        ]),
        run([
          { service: 'dynamodb', operation: 'GetItem', fault: 'failing' },
          { service: 'dynamodb', operation: 'PutItem', fault: 'failing' },
          { service: 'secretsmanager', fault: 'garbage' },
          { service: 'secretsmanager', fault: 'stalled' },
          { service: 'sts', fault: 'throttling' },
          { service: 's3', operation: 'HeadObject', fault: 'failing' },
          { service: 's3', operation: 'PutObject', fault: 'conflict' },
          { service: 'events', fault: 'throttling' },
        ]),
      ]);

      // If a service fails, only the endpoints that use it fail. An event that could not be recorded is kept,
      // and a replay records it: each of the two clients stores two uploads, and a third one if an upload URL
      // can be issued.
      const keyUsers = ['key set', 'sync', 'token', 'volumes'];
      expect(results.flatMap(({ met }) => met)).toMatchObject([
        { name: 'dynamodb slow', failed: ['sync', 'token'], replayed: 4 },
        { name: 'dynamodb UpdateItem UploadsTableName throttling', failed: [], replayed: 6 },
        { name: 'dynamodb GetItem failing', failed: ['sync', 'token'], replayed: 4 },
        { name: 'dynamodb PutItem failing', failed: ['sync'], replayed: 0 },
        { name: 'secretsmanager garbage', failed: keyUsers, replayed: 0 },
        { name: 'secretsmanager stalled', failed: keyUsers, replayed: 0 },
        { name: 'sts throttling', failed: ['sync'], replayed: 0 },
        // Every upload queries S3 for the first version.
        { name: 's3 HeadObject failing', failed: [], replayed: 6 },
        { name: 's3 PutObject conflict', failed: [], replayed: 0 },
        { name: 'events throttling', failed: [], replayed: 0 },
      ]);
      expect(results.map(({ maxAttempts }) => maxAttempts)).toEqual([3, 3]);
    },
    soakTimeout,
  );
}
