/**
 * Injects faults into AWS services while clients call and upload, then checks the responses and the stored
 * data. See packages/emulator/endpoint/faults.ts for the effect of each fault.
 */
import { randomUUID } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import {
  type Fault,
  type FaultyCalls,
  type FaultyService,
  garbage,
  setFaults,
} from 'cloud-assembly-emulator/faults';
import { internalErrorBody } from '../../../contract/bodies/internal-error.ts';
import { allOf, readAll } from '../../../tools/operator/lists/read.ts';
import { replayUploads } from '../../../tools/operator/uploads/replay.ts';
import { uploadSource } from '../../../tools/operator/uploads/upload.ts';
import { type ApiUser, createApiUser, type IssuedUrl } from '../../support/api-user.ts';
import { type RunningStack, startRunningStack } from '../../support/running-stack.ts';
import { readWritten, searchForSecrets } from '../../support/search-for-secrets.ts';
import { report } from '../soak.ts';
import { checkStoredState, describeBody, type KnownUpload } from '../stored-state.ts';

export interface FaultCase {
  readonly service: FaultyService;
  readonly fault: Fault;
  /** Default: every operation. */
  readonly operation?: FaultyCalls['operation'];
  /** Table of DynamoDB, by the stack output with its name. Default: every table. */
  readonly table?: 'ClientsTableName' | 'FilesTableName' | 'UploadsTableName';
}

export interface FaultsOptions {
  readonly cases: readonly FaultCase[];
  /**
   * Number of concurrent clients; each calls all endpoints at the same time, so each function receives this
   * many requests.
   */
  readonly clients: number;
  /** Number of times that each client calls every endpoint during a fault. */
  readonly rounds: number;
}

/** An endpoint that clients call. */
type Endpoint = 'token' | 'volumes' | 'sync' | 'key set' | 'openapi';

/** Responses to clients during one fault. */
interface MetFault {
  /** Its service, operation, table and fault. */
  readonly name: string;
  /** Endpoints that responded with 500, in alphabetical order. */
  readonly failed: readonly Endpoint[];
  /** Number of events that were given up, and recorded by a later replay. */
  readonly replayed: number;
}

/** A line in the log of a function, of its own or of Lambda. */
type LogLine = Readonly<Record<string, unknown>>;

/** @returns responses to clients during each fault, and violations of the contract */
export async function runFaultsSoak(options: FaultsOptions) {
  const stack = await startRunningStack();
  try {
    const soak = new FaultsSoak(stack, await createApiUser(stack), options);
    for (const one of options.cases) {
      await soak.meet(one);
    }
    return await soak.finish();
  } finally {
    await stack.close();
  }
}

class FaultsSoak {
  readonly #stack: RunningStack;
  readonly #user: ApiUser;
  readonly #options: FaultsOptions;
  #responded500 = 0;
  readonly #met: MetFault[] = [];
  readonly #violations: string[] = [];
  /** Name of the current fault. */
  #name = '';
  #known: KnownUpload[] = [];
  /** PUTs that S3 rejected. */
  #rejected: { readonly fileId: string; readonly url: string }[] = [];
  #failed = new Set<Endpoint>();

  constructor(stack: RunningStack, user: ApiUser, options: FaultsOptions) {
    this.#stack = stack;
    this.#user = user;
    this.#options = options;
  }

  async meet({ service, fault, operation, table }: FaultCase): Promise<void> {
    this.#name = [service, operation, table, fault].filter(Boolean).join(' ');
    this.#known = [];
    this.#rejected = [];
    this.#failed = new Set();
    await this.#callOthers(false);
    const clients = await Promise.all(
      Array.from({ length: this.#options.clients }, async () => {
        const fileId = await this.#user.newFile();
        // Uploads for these URLs arrive during the fault.
        return { fileId, issued: [await this.#user.issue(fileId), await this.#user.issue(fileId)] };
      }),
    );
    // Cold functions read their secrets; warm ones would not notice the fault.
    if (service === 'secretsmanager') {
      await this.#stack.endIdleEnvironments();
    }
    const tableName = table && { table: this.#stack.deployment.outputs[table] };
    setFaults(this.#stack.stateDirectory, {
      [service]: [{ fault, ...(operation && { operation }), ...tableName }],
    });
    await Promise.all(clients.map(({ fileId, issued }) => this.#load(fileId, issued)));
    // The fault must also affect functions that start late.
    await this.#stack.eventsSettled();
    setFaults(this.#stack.stateDirectory, {});
    await this.#putAgain(service);
    await this.#callOthers(false);
    this.#met.push({ name: this.#name, failed: [...this.#failed].sort(), replayed: await this.#replay() });
    // An upload is due soon if EventBridge did not accept its event.
    await this.#stack.runSchedules(new Date(Date.now() + 10 * 60_000));
    await this.#checkUploads();
    report(`${this.#name}: responded with 500 by ${[...this.#failed].join(', ') || 'nothing'}`);
  }

  async finish() {
    const logs = join(this.#stack.stateDirectory, 'logs');
    const texts = await Promise.all((await readdir(logs)).map((name) => readFile(join(logs, name), 'utf8')));
    const lines = texts
      .flatMap((text) => text.split('\n'))
      .filter((line) => line.startsWith('{'))
      .map((line) => JSON.parse(line) as LogLine);
    const failures = lines.filter(({ message }) => message === 'Request failed unexpectedly').length;
    const written = await readWritten(logs);
    return {
      met: this.#met,
      /** At one call of AWS. */
      maxAttempts: Math.max(0, ...lines.map((line) => Number(line.aws_attempts ?? 0))),
      violations: [
        ...this.#violations,
        ...(failures === this.#responded500
          ? []
          : [`${this.#responded500} responses of 500, but ${failures} lines in the log`]),
        ...endedByLambda(lines),
        ...searchForSecrets([], written).leaks.map(({ name, what }) => `${what} in the log ${name}`),
        ...written
          .filter(({ bytes }) => bytes.includes(garbage))
          .map(({ name }) => `the response of AWS in the log ${name}`),
      ],
    };
  }

  async #load(fileId: string, issued: readonly IssuedUrl[]): Promise<void> {
    for (const { url } of issued) {
      await this.#put(fileId, url);
    }
    for (let round = 0; round < this.#options.rounds; round += 1) {
      const [response] = await Promise.all([
        this.#response('sync', this.#user.sync(fileId), true),
        this.#callOthers(true),
      ]);
      if (response !== undefined) {
        const { data } = JSON.parse(response) as { readonly data: { readonly upload_url: string } };
        await this.#put(fileId, data.upload_url);
      }
    }
  }

  /**
   * Calls the endpoints that do not store data. Without a fault, they work immediately, and without a
   * restart.
   */
  async #callOthers(faulty: boolean): Promise<void> {
    const { baseUrl } = this.#stack;
    const headers = { authorization: `Bearer ${this.#user.token}` };
    await Promise.all([
      this.#response('token', this.#user.requestToken(), faulty),
      this.#response('volumes', fetch(`${baseUrl}/v0/volumes`, { headers }), faulty),
      this.#response('key set', fetch(`${baseUrl}/.well-known/jwks.json`), faulty),
      this.#response('openapi', fetch(`${baseUrl}/v0/openapi.json`), faulty),
    ]);
  }

  /** @returns body of a 200; undefined for a 500, which is allowed only during a fault */
  async #response(
    endpoint: Endpoint,
    request: Promise<Response>,
    faulty: boolean,
  ): Promise<string | undefined> {
    const response = await request;
    const text = await response.text();
    if (response.status === 200) {
      return text;
    }
    if (response.status === 500) {
      this.#responded500 += 1;
      this.#failed.add(endpoint);
    }
    const isContract = response.status === 500 && text === JSON.stringify(internalErrorBody);
    if (!faulty || !isContract || response.headers.get('content-type') !== 'application/json') {
      this.#violate(`${endpoint} responded with ${response.status}`);
    }
    return undefined;
  }

  async #put(fileId: string, url: string): Promise<void> {
    const body = Buffer.from(randomUUID());
    const isStored = await fetch(url, { method: 'PUT', body }).then(
      // A response that never ends is also a rejection.
      async (response) => (await response.text().catch(() => undefined)) !== undefined && response.ok,
    );
    if (!isStored) {
      this.#rejected.push({ fileId, url });
      return;
    }
    const uploadId = new URL(url).pathname.split('/').at(-1) ?? '';
    this.#known.push({ uploadId, fileId, body: describeBody(body), outcome: 'stored' });
  }

  /** Repeats rejected PUTs: S3 did not store an object, so the URLs still work. */
  async #putAgain(service: FaultyService): Promise<void> {
    const rejected = this.#rejected.splice(0);
    for (const { fileId, url } of rejected) {
      await this.#put(fileId, url);
    }
    if (this.#rejected.length > 0 || (rejected.length > 0 && service !== 's3')) {
      this.#violate(`${rejected.length} PUTs were rejected, and ${this.#rejected.length} again afterwards`);
    }
  }

  /**
   * Replays failed events. On a busy machine an AWS call may take too long. Its event then stays in the queue
   * for the next replay.
   */
  async #replay(): Promise<number> {
    await this.#stack.eventsSettled();
    let all = 0;
    const silent = { progress: () => undefined, note: () => undefined };
    for (let attempt = 1; attempt <= 3; attempt += 1) {
      const { replayed, failed } = await replayUploads({ deployment: this.#stack.deployment, ...silent });
      all += replayed;
      if (failed === 0) {
        await this.#stack.eventsSettled();
        return all;
      }
    }
    this.#violate('an event cannot be replayed');
    return all;
  }

  /**
   * Checks that all stored uploads are recorded, and that replaced content is marked, since every event was
   * accepted or replayed.
   */
  async #checkUploads(): Promise<void> {
    const violations = await checkStoredState(this.#stack.deployment, this.#known);
    this.#violations.push(...violations.map((violation) => `${this.#name}: ${violation}`));
    for (const fileId of new Set(this.#known.map((upload) => upload.fileId))) {
      const { deployment } = this.#stack;
      const uploads = await allOf(readAll(deployment, uploadSource(deployment, { file: fileId })));
      // All uploads except the newest are replaced.
      const unmarked = uploads.filter((each) => each.state === 'completed' && !('superseded_at' in each));
      if (unmarked.length > 1) {
        this.#violate(`${unmarked.length - 1} replaced uploads are not marked`);
      }
    }
  }

  #violate(problem: string): void {
    this.#violations.push(`${this.#name}: ${problem}`);
  }
}

/**
 * Returns invocations that Lambda ended, because of their timeout or because their process ended. A function
 * responds before its timeout, and so before API Gateway's timeout of 30 s. If this list is empty, clients
 * received their responses in time; the test does not measure the time.
 */
function endedByLambda(lines: readonly LogLine[]): string[] {
  const types = lines.flatMap(({ message }) =>
    typeof message === 'object' && message !== null && 'errorType' in message ? [message.errorType] : [],
  );
  const ends = types.filter((type) => /^(Sandbox|Runtime)\./.test(String(type)));
  return ends.map((type) => `Lambda ended an invocation: ${type}`);
}
