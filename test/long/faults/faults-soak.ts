/**
 * Lets the services of AWS down while clients call and upload, then looks at what the clients got and at what is
 * stored: see emulator/endpoint/faults.ts for what a fault does.
 */
import { createHash, randomUUID } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { RotateSecretCommand, SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import { createFile } from '../../../cli/operations/files.ts';
import { allOf } from '../../../cli/operations/pages.ts';
import { replayUploads } from '../../../cli/operations/replay-uploads.ts';
import { listUploads } from '../../../cli/operations/uploads.ts';
import {
  type Fault,
  type Faults,
  type FaultyCalls,
  type FaultyService,
  garbage,
  setFaults,
} from '../../../emulator/endpoint/faults.ts';
import { internalErrorBody } from '../../../lambdas/shared/http-messages.ts';
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
  /** Clients at once; each calls every endpoint at once, so as many requests per function. */
  readonly clients: number;
  /** How often each client calls every endpoint during a fault. */
  readonly rounds: number;
  readonly report: (line: string) => void;
}

export interface FaultsResult {
  readonly faults: number;
  /** Requests during the faults, and how they were answered. */
  readonly requests: number;
  readonly answered200: number;
  readonly answered500: number;
  /** Of an answer during a fault, in milliseconds. */
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

interface PreparedClient {
  readonly fileId: string;
  readonly urls: readonly string[];
}

/** The function's own timeout, and what a busy machine needs to start functions anew, in milliseconds. */
export const longestAnswer = 15_000;

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
  readonly #counts = { faults: 0, requests: 0, answered200: 0, answered500: 0, replayed: 0, withoutUrl: 0 };
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
    setFaults(this.#stack.stateDirectory, {});
    this.#counts.faults += 1;
    await this.#recovered();
    if (service === 'secretsmanager') {
      await this.#rotate();
    }
    await this.#replay();
    await this.#checkRecorded();
    await this.#checkRecords(service === 'dynamodb' && fault === 'slow');
    const { requests, answered500 } = this.#counts;
    const [called, failed] = [requests - before.requests, answered500 - before.answered500];
    this.#options.report(`${this.#case}: ${called} requests, ${failed} answered 500`);
  }

  async finish(): Promise<FaultsResult> {
    const { violations, completed } = await checkStoredState(this.#stack.deployment, this.#known, 0);
    const lines = await this.#functionLines();
    const failures = lines.filter(({ message }) => message === 'Request failed unexpectedly').length;
    if (failures !== this.#counts.answered500) {
      this.#violations.push(`${this.#counts.answered500} answers of 500, but ${failures} lines in the log`);
    }
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
      this.#call('/oauth/token', { method: 'POST', headers: { authorization }, body }, faulty),
      this.#call('/v0/volumes', { headers: { authorization: `Bearer ${token}` } }, faulty),
      this.#call('/.well-known/jwks.json', {}, faulty),
      this.#call('/v0/openapi.json', {}, faulty),
    ];
  }

  async #sync(fileId: string, faulty = false): Promise<string | undefined> {
    const headers = { authorization: `Bearer ${this.#work.client.token}` };
    const answer = await this.#call(`/v0/files/${fileId}/sync`, { method: 'POST', headers }, faulty);
    const url = (answer as { data?: { upload_url?: string } } | undefined)?.data?.upload_url;
    if (url !== undefined) {
      this.#urls.add(uploadIdOf(url));
    }
    return url;
  }

  /** @returns the body of a 200; undefined for a 500, which is right during a fault only */
  async #call(path: string, init: RequestInit, faulty: boolean): Promise<unknown> {
    const startedAt = performance.now();
    const response = await fetch(`${this.#stack.baseUrl}${path}`, init);
    const text = await response.text();
    const took = performance.now() - startedAt;
    if (faulty) {
      this.#counts.requests += 1;
      this.#slowest = Math.max(this.#slowest, took);
    }
    if (took > longestAnswer) {
      this.#violate(`${path} took ${Math.round(took)} ms`);
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

  /** Without a fault, and without a restart, everything works at once. */
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
    const { replayed, failed } = await replayUploads(this.#stack.deployment, {
      onFailure: () => undefined,
      onThrottled: () => undefined,
      sleep: async () => undefined,
    });
    this.#counts.replayed += replayed;
    await this.#stack.eventsSettled();
    if (failed > 0) {
      this.#violate(`${failed} events cannot be replayed`);
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

  /** A record is whole, and belongs to a URL that a client got, unless the answer to its writing was lost. */
  async #checkRecords(answersLost: boolean): Promise<void> {
    const uploads = await allOf(listUploads(this.#stack.deployment, { organisationId: 'acme' }));
    const without = uploads.filter(({ upload_id }) => !this.#urls.has(upload_id));
    const added = without.length - this.#counts.withoutUrl;
    this.#counts.withoutUrl = without.length;
    if (added > 0 && !answersLost) {
      this.#violate(`${added} uploads are recorded whose URL nobody got`);
    }
    if (without.some(({ state }) => state !== 'issued')) {
      this.#violate('an upload without a URL has ended');
    }
  }

  async #functionLines(): Promise<readonly Readonly<Record<string, unknown>>[]> {
    const directory = join(this.#stack.stateDirectory, 'logs');
    const names = await readdir(directory);
    const texts = await Promise.all(names.map((name) => readFile(join(directory, name), 'utf8')));
    const lines = texts.flatMap((text) => text.split('\n')).filter((line) => line.startsWith('{'));
    return lines.map((line) => JSON.parse(line) as Readonly<Record<string, unknown>>);
  }

  #violate(problem: string): void {
    this.#violations.push(`${this.#case}: ${problem}`);
  }
}

function uploadIdOf(url: string): string {
  return new URL(url).pathname.split('/').at(-1) ?? '';
}
