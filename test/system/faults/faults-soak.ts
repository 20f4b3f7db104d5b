/**
 * Lets the services of AWS down while clients call and upload, then looks at what the clients got and at what is
 * stored: see packages/emulator/endpoint/faults.ts for what a fault does.
 */
import { createHash, randomUUID } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import {
  ListObjectVersionsCommand,
  type ListObjectVersionsCommandOutput,
  S3Client,
} from '@aws-sdk/client-s3';
import { RotateSecretCommand, SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import {
  type Fault,
  type Faults,
  type FaultyCalls,
  type FaultyService,
  garbage,
  setFaults,
} from 'cloud-assembly-emulator/faults';
import { internalErrorBody } from '../../../lambdas/shared/http/messages.ts';
import { createFile } from '../../../tools/operator/files.ts';
import { allOf } from '../../../tools/operator/pages.ts';
import { replayUploads } from '../../../tools/operator/replay-uploads.ts';
import { listUploads } from '../../../tools/operator/uploads.ts';
import { type RunningStack, startRunningStack } from '../../support/running-stack.ts';
import { readWritten, searchForSecrets } from '../../support/search-for-secrets.ts';
import { jobs, prepareWork, type Work } from '../jobs.ts';
import { put } from '../put.ts';
import type { KnownUpload } from '../stored-state.ts';
import { checkStoredState } from '../stored-state.ts';

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
  /** Clients at the same time; each calls every endpoint at the same time, so as many requests per function. */
  readonly clients: number;
  /** How often each client calls every endpoint during a fault. */
  readonly rounds: number;
  readonly report: (line: string) => void;
}

/** An endpoint that clients call. */
type Endpoint = 'token' | 'volumes' | 'sync' | 'key set' | 'openapi';

/** What clients got during one fault. */
export interface MetFault {
  /** Its service, operation, table and fault. */
  readonly name: string;
  /** The endpoints that answered 500, in alphabetical order. */
  readonly failed: readonly Endpoint[];
  /** Events that were given up, and recorded by a replay after it. */
  readonly replayed: number;
}

export interface FaultsResult {
  readonly met: readonly MetFault[];
  /** Requests during the faults, and how they were answered. */
  readonly requests: number;
  readonly answered200: number;
  readonly answered500: number;
  /** Of an answer during a fault, in milliseconds. For the report: a busy machine takes any time. */
  readonly slowest: number;
  /** Uploads whose bytes were stored, during the faults and between them. */
  readonly stored: number;
  /** Events that were given up during a fault, and recorded by a replay after it. */
  readonly replayed: number;
  /** Records of uploads whose URL nobody got: their writes were carried out, and the answers lost. */
  readonly withoutUrl: number;
  /** Most attempts at one call of AWS. */
  readonly mostAttempts: number;
  readonly violations: readonly string[];
}

/** A line in the log of a function, of its own or of Lambda. */
type LogLine = Readonly<Record<string, unknown>>;

interface PreparedClient {
  readonly fileId: string;
  readonly urls: readonly string[];
}

/** Attempts that the functions' AWS clients make at most. */
const attemptsAllowed = 3;

export async function runFaultsSoak(options: FaultsOptions): Promise<FaultsResult> {
  const stack = await startRunningStack();
  try {
    const soak = new FaultsSoak(stack, await prepareWork(stack), options);
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
  readonly #work: Work;
  readonly #options: FaultsOptions;
  readonly #known: KnownUpload[] = [];
  readonly #urls = new Set<string>();
  /** Stored and not recorded. */
  readonly #lost = new Set<string>();
  readonly #violations: string[] = [];
  readonly #met: MetFault[] = [];
  readonly #counts = { requests: 0, answered200: 0, answered500: 0, replayed: 0, withoutUrl: 0 };
  /** The endpoints that answered 500 during this fault. */
  #failed = new Set<Endpoint>();
  /** Requests that were given up before AWS answered, in all faults so far. */
  #givenUp = 0;
  #slowest = 0;
  #case = '';

  constructor(stack: RunningStack, work: Work, options: FaultsOptions) {
    this.#stack = stack;
    this.#work = work;
    this.#options = options;
  }

  async meet(one: FaultCase): Promise<void> {
    const { service, fault, operation, table } = one;
    this.#case = [service, operation, table, fault].filter(Boolean).join(' ');
    const before = { ...this.#counts };
    this.#failed = new Set();
    await this.#recovered();
    const clients = await Promise.all(Array.from({ length: this.#options.clients }, () => this.#prepare()));
    // Cold functions read their secrets; warm ones would not notice that they can't.
    if (service === 'secretsmanager') {
      await this.#stack.cool();
    }
    setFaults(this.#stack.stateDirectory, this.#faultsOf(one));
    const rotation = service === 'secretsmanager' ? this.#requestRotation() : Promise.resolve();
    await Promise.all(clients.map((client) => this.#load(client)));
    await rotation;
    // A function that starts late must meet the fault too.
    await this.#stack.eventsSettled();
    setFaults(this.#stack.stateDirectory, {});
    await this.#recovered();
    if (service === 'secretsmanager') {
      await this.#rotate();
    }
    await this.#replay();
    await this.#checkRecorded();
    await this.#checkReplaced();
    await this.#checkRecords();
    const { requests, answered500 } = this.#counts;
    const replayed = this.#counts.replayed - before.replayed;
    this.#met.push({ name: this.#case, failed: [...this.#failed].sort(), replayed });
    const [called, failed] = [requests - before.requests, answered500 - before.answered500];
    this.#options.report(`${this.#case}: ${called} requests, ${failed} answered 500`);
  }

  async finish(): Promise<FaultsResult> {
    const { violations, completed } = await checkStoredState(this.#stack.deployment, this.#known);
    const lines = await this.#functionLines();
    const failures = lines.filter(({ message }) => message === 'Request failed unexpectedly').length;
    if (failures !== this.#counts.answered500) {
      this.#violations.push(`${this.#counts.answered500} answers of 500, but ${failures} lines in the log`);
    }
    this.#violations.push(...endedByLambda(lines));
    const written = await readWritten(join(this.#stack.stateDirectory, 'logs'));
    this.#violations.push(
      ...searchForSecrets([], written).leaks.map(({ name, what }) => `${what} in the log ${name}`),
      ...written
        .filter(({ bytes }) => bytes.includes(garbage))
        .map(({ name }) => `what AWS said in the log ${name}`),
    );
    const mostAttempts = Math.max(0, ...lines.map((line) => Number(line.aws_attempts ?? 0)));
    if (mostAttempts > attemptsAllowed) {
      this.#violations.push(`${mostAttempts} attempts at one call`);
    }
    return {
      ...this.#counts,
      met: this.#met,
      slowest: Math.round(this.#slowest),
      stored: completed,
      mostAttempts,
      violations: [...this.#violations, ...violations],
    };
  }

  /** A file of its own, and two URLs for it, whose uploads are to arrive during the fault. */
  async #prepare(): Promise<PreparedClient> {
    const file = { organisationId: 'acme', name: randomUUID(), syncEnabled: true };
    const { file_id: fileId } = await createFile(this.#stack.deployment, file);
    const urls = [await this.#sync(fileId), await this.#sync(fileId)];
    return { fileId, urls: urls.flatMap((url) => url ?? []) };
  }

  async #load({ fileId, urls }: PreparedClient): Promise<void> {
    for (const url of urls) {
      await this.#put(fileId, url);
    }
    for (let round = 0; round < this.#options.rounds; round += 1) {
      const [url] = await Promise.all([this.#sync(fileId, true), ...this.#others(true)]);
      if (url !== undefined) {
        await this.#put(fileId, url);
      }
    }
  }

  /** The endpoints that leave nothing behind. */
  #others(faulty: boolean): Promise<unknown>[] {
    const { authorization, token } = this.#work.client;
    const body = new URLSearchParams({ grant_type: 'client_credentials' });
    return [
      this.#call('token', '/oauth/token', { method: 'POST', headers: { authorization }, body }, faulty),
      this.#call('volumes', '/v0/volumes', { headers: { authorization: `Bearer ${token}` } }, faulty),
      this.#call('key set', '/.well-known/jwks.json', {}, faulty),
      this.#call('openapi', '/v0/openapi.json', {}, faulty),
    ];
  }

  async #sync(fileId: string, faulty = false): Promise<string | undefined> {
    const headers = { authorization: `Bearer ${this.#work.client.token}` };
    const answer = await this.#call('sync', `/v0/files/${fileId}/sync`, { method: 'POST', headers }, faulty);
    const url = (answer as { data?: { upload_url?: string } } | undefined)?.data?.upload_url;
    if (url !== undefined) {
      this.#urls.add(uploadIdOf(url));
    }
    return url;
  }

  /** @returns the body of a 200; undefined for a 500, which is right during a fault only */
  async #call(endpoint: Endpoint, path: string, init: RequestInit, faulty: boolean): Promise<unknown> {
    const startedAt = performance.now();
    const response = await fetch(`${this.#stack.baseUrl}${path}`, init);
    const text = await response.text();
    const took = performance.now() - startedAt;
    if (faulty) {
      this.#counts.requests += 1;
      this.#slowest = Math.max(this.#slowest, took);
    }
    if (response.status === 200) {
      if (faulty) {
        this.#counts.answered200 += 1;
      }
      return JSON.parse(text);
    }
    const isContract = response.status === 500 && text === JSON.stringify(internalErrorBody);
    const isJson = response.headers.get('content-type') === 'application/json';
    if (response.status === 500) {
      this.#counts.answered500 += 1;
      this.#failed.add(endpoint);
    }
    if (!faulty || !isContract || !isJson) {
      this.#violate(`${path} answered ${response.status}`);
    }
    return undefined;
  }

  async #put(fileId: string, url: string): Promise<void> {
    const body = Buffer.from(randomUUID());
    const outcome = await put(url, body);
    if (outcome === 'interrupted' || outcome.status !== 200) {
      return this.#violate('a PUT failed');
    }
    const sha256 = createHash('sha256').update(body).digest('hex');
    this.#known.push({ uploadId: uploadIdOf(url), fileId, sha256, size: body.length, outcome: 'stored' });
  }

  /** Without a fault, and without a restart, everything works immediately. */
  async #recovered(): Promise<void> {
    await jobs['issue a token']?.(this.#work);
    await Promise.all(this.#others(false));
  }

  async #requestRotation(): Promise<void> {
    const { awsConfig, outputs } = this.#stack.deployment;
    const client = new SecretsManagerClient(awsConfig);
    await client.send(new RotateSecretCommand({ SecretId: outputs.SigningKeySecretArn }));
    client.destroy();
  }

  /** The rotation that the fault disturbed may fail once more, and is then taken up again. */
  async #rotate(): Promise<void> {
    for (let attempt = 1; attempt <= 5; attempt += 1) {
      const problem = await jobs['rotate the signing key']?.(this.#work).catch((error: Error) => error);
      if (problem === undefined) {
        return;
      }
    }
    this.#violate('the signing key does not rotate any more');
  }

  async #replay(): Promise<void> {
    await this.#stack.eventsSettled();
    let left = 0;
    // A call of AWS may take too long on a busy machine. What failed then stays in the queue for the next replay.
    for (let attempt = 1; attempt === 1 || (left > 0 && attempt <= 3); attempt += 1) {
      const { replayed, failed } = await replayUploads(this.#stack.deployment, {
        onFailure: () => undefined,
        onThrottled: () => undefined,
        sleep: async () => undefined,
      });
      this.#counts.replayed += replayed;
      left = failed;
    }
    await this.#stack.eventsSettled();
    if (left > 0) {
      this.#violate(`${left} events cannot be replayed`);
    }
  }

  #faultsOf({ service, fault, operation, table }: FaultCase): Faults {
    const { outputs } = this.#stack.deployment;
    const calls = {
      fault,
      ...(operation === undefined ? {} : { operation }),
      ...(table === undefined ? {} : { table: outputs[table] }),
    };
    return { [service]: [calls] };
  }

  /** Every event was taken or replayed, so every upload is complete. A swallowed error leaves one that is not. */
  async #checkRecorded(): Promise<void> {
    const uploads = await allOf(listUploads(this.#stack.deployment, { organisationId: 'acme' }));
    const completed = new Set(
      uploads.filter(({ state }) => state === 'completed').map(({ upload_id }) => upload_id),
    );
    const lost = this.#known.filter(({ uploadId }) => !completed.has(uploadId) && !this.#lost.has(uploadId));
    for (const { uploadId } of lost) {
      this.#lost.add(uploadId);
    }
    if (lost.length > 0) {
      this.#violate(`${lost.length} uploads are stored and not recorded`);
    }
  }

  /** Content that was replaced is marked, and a tombstone is over it, so that its retention time began. */
  async #checkReplaced(): Promise<void> {
    const uploads = await allOf(listUploads(this.#stack.deployment, { organisationId: 'acme' }));
    const completed = uploads.filter(({ state }) => state === 'completed');
    const replaced = completed.filter(({ file_id, upload_id }) =>
      completed.some((other) => other.file_id === file_id && other.upload_id > upload_id),
    );
    const unmarked = replaced.filter(({ superseded_at }) => superseded_at === undefined);
    if (unmarked.length > 0) {
      this.#violate(`${unmarked.length} replaced uploads are not marked`);
    }
    const tombstones = await this.#emptyObjects();
    const uncovered = replaced.filter(({ key }) => !tombstones.has(key));
    if (uncovered.length > 0) {
      this.#violate(`${uncovered.length} replaced uploads have no tombstone`);
    }
  }

  /** Keys whose newest version is empty. No upload here is, so it is a tombstone. */
  async #emptyObjects(): Promise<ReadonlySet<string>> {
    const { awsConfig, outputs } = this.#stack.deployment;
    const client = new S3Client({ ...awsConfig, forcePathStyle: true });
    const keys = new Set<string>();
    let KeyMarker: string | undefined;
    do {
      const page: ListObjectVersionsCommandOutput = await client.send(
        new ListObjectVersionsCommand({ Bucket: outputs.BucketName, KeyMarker }),
      );
      for (const { Key, Size, IsLatest } of page.Versions ?? []) {
        if (Key !== undefined && IsLatest && Size === 0) {
          keys.add(Key);
        }
      }
      KeyMarker = page.NextKeyMarker;
    } while (KeyMarker !== undefined);
    client.destroy();
    return keys;
  }

  /** A record is whole, and belongs to a URL that a client got, unless the answer to its writing was lost. */
  async #checkRecords(): Promise<void> {
    const uploads = await allOf(listUploads(this.#stack.deployment, { organisationId: 'acme' }));
    const without = uploads.filter(({ upload_id }) => !this.#urls.has(upload_id));
    const added = without.length - this.#counts.withoutUrl;
    this.#counts.withoutUrl = without.length;
    const givenUp = (await this.#functionLines()).filter(isGivenUp).length;
    const answersLost = givenUp - this.#givenUp;
    this.#givenUp = givenUp;
    if (added > answersLost) {
      this.#violate(`${added} uploads are recorded whose URL nobody got`);
    }
    if (without.some(({ state }) => state !== 'issued')) {
      this.#violate('an upload without a URL has ended');
    }
  }

  async #functionLines(): Promise<readonly LogLine[]> {
    const directory = join(this.#stack.stateDirectory, 'logs');
    const names = await readdir(directory);
    const texts = await Promise.all(names.map((name) => readFile(join(directory, name), 'utf8')));
    const lines = texts.flatMap((text) => text.split('\n')).filter((line) => line.startsWith('{'));
    return lines.map((line) => JSON.parse(line) as LogLine);
  }

  #violate(problem: string): void {
    this.#violations.push(`${this.#case}: ${problem}`);
  }
}

/** A request whose call of AWS was not answered in time, so that nobody knows whether it was carried out. */
function isGivenUp({ message, error_name }: LogLine): boolean {
  const names = ['TimeoutError', 'DeadlineError', 'AbortError'];
  return message === 'Request failed unexpectedly' && names.includes(String(error_name));
}

/**
 * Invocations that Lambda ended, because they ran into their timeout or their process ended. A function answers before
 * its timeout, and so before API Gateway gives it up after 30 s: this, and no clock, shows that clients had their answer
 * in time.
 */
function endedByLambda(lines: readonly LogLine[]): string[] {
  const types = lines.flatMap(({ message }) =>
    typeof message === 'object' && message !== null && 'errorType' in message ? [message.errorType] : [],
  );
  const ends = types.filter((type) => /^(Sandbox|Runtime)\./.test(String(type)));
  return ends.map((type) => `Lambda ended an invocation: ${type}`);
}

function uploadIdOf(url: string): string {
  return new URL(url).pathname.split('/').at(-1) ?? '';
}
