/**
 * Keys and secrets change while clients work: the signing key three times, a client secret twice, and in
 * between Secrets Manager fails. Every answer and every token is looked at, and each old secret is tried after its end.
 */
import { randomBytes } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { setFaults } from 'cloud-assembly-emulator/faults';
import { createLocalJWKSet, decodeJwt, decodeProtectedHeader, type JSONWebKeySet, jwtVerify } from 'jose';
import { logMessages } from '../../../lambdas/shared/log/log.ts';
import { rotateSecret } from '../../../tools/operator/client-secrets.ts';
import { type ClientWithSecret, createClient } from '../../../tools/operator/clients.ts';
import type { Deployment } from '../../../tools/operator/deployment/deployment.ts';
import { localDeployment } from '../../../tools/operator/deployment/local-deployment.ts';
import { createFile } from '../../../tools/operator/files.ts';
import { getKeySet, rotateSigningKey } from '../../../tools/operator/signing-keys.ts';
import { startLocalRun } from '../../support/local-run.ts';
import { startRunningStack } from '../../support/running-stack.ts';

/** What the load falls on. */
export interface SoakedService {
  readonly baseUrl: string;
  readonly stateDirectory: string;
  readonly deployment: Deployment;
  /** Ends functions that are idle. Who can, shows in seconds what caches would let happen after minutes. */
  readonly restartFunctions?: () => Promise<void>;
  readonly close: () => Promise<unknown>;
}

export interface RotationSoakOptions {
  readonly start: () => Promise<SoakedService>;
  /** Client applications at work at the same time, and so many functions of each kind. */
  readonly clients: number;
  /** From the beginning of one round of requests to the next. */
  readonly pauseMilliseconds: number;
  /** Length of the load. A rotated key signs after at most 11 minutes, so shorter runs see fewer keys sign. */
  readonly seconds: number;
  /** How long Secrets Manager fails at least. It fails until a function has met it. */
  readonly outageSeconds: number;
  readonly report: (line: string) => void;
}

export interface RotationSoakResult {
  /** Rounds of requests: in each one, every connection makes one of each kind. */
  readonly rounds: number;
  readonly tokens: number;
  readonly volumes: number;
  readonly syncs: number;
  /** Requests with a token that names an unknown key: each answered 401. */
  readonly forged: number;
  /** Requests that had another answer than they should, as `what: status`. */
  readonly failed: readonly string[];
  /** Verifications of a token by a client with its own copy of the key set. */
  readonly verifications: number;
  readonly notVerified: number;
  readonly signingKeyRotations: number;
  readonly clientSecretRotations: number;
  /** Requests with an old client secret after its end: each answered 401. */
  readonly endedSecrets: number;
  /** Keys that were published during the load. */
  readonly keysPublished: number;
  /** Tokens of a key that a cached key set could lack when it signed them. */
  readonly signedTooSoon: number;
  /** Different keys that signed. */
  readonly keysThatSigned: number;
  /** Times that a function went on with what it had, because Secrets Manager failed. */
  readonly failedRefreshes: number;
}

const fileId = 'rotation-soak';

/** Between two changes. The first one may have begun before the change; the second one is whole, however busy the machine. */
const roundsBetweenChanges = 2;

/** So many times its least length an outage waits for a function to meet it. */
const longestOutage = 10;

/** A local run of its own, as `npm start` makes it. */
export async function startSoakedRun(): Promise<SoakedService> {
  const { baseUrl, stateDirectory, stop } = await startLocalRun();
  return { baseUrl, stateDirectory, deployment: await localDeployment(stateDirectory), close: stop };
}

/** The parts of a local run in this process, whose functions can be restarted. */
export async function startSoakedStack(): Promise<SoakedService> {
  const { baseUrl, stateDirectory, deployment, cool, close } = await startRunningStack();
  return { baseUrl, stateDirectory, deployment, restartFunctions: cool, close };
}

export async function runRotationSoak(options: RotationSoakOptions): Promise<RotationSoakResult> {
  const service = await options.start();
  try {
    const { deployment } = service;
    const client = await createClient(deployment, {
      organisationId: 'acme',
      name: 'Rotation soak',
      scopes: ['volume:read', 'sync:create'],
    });
    await createFile(deployment, { fileId, organisationId: 'acme', name: fileId, syncEnabled: true });
    return await new RotationSoak(service, client, options).run();
  } finally {
    await service.close();
  }
}

/** A client application: its secret, and every token that it got, the oldest first. */
interface Application {
  clientSecret: string;
  readonly tokens: string[];
}

/** The key set as a client holds it that takes the whole max-age of Cache-Control (RFC 9111 section 5.2.2.1). */
interface KeySetCopy {
  /** Copies of different age are worth more than many of one. */
  readonly beginsAt: number;
  find?: ReturnType<typeof createLocalJWKSet>;
  staleAt: number;
}

/**
 * A function serves a key set from memory for up to five minutes, and whoever fetched it keeps it for five more
 * (docs/resource-servers.md, The key set). Written out here, so that a changed constant of the service is seen.
 */
const heldMilliseconds = 10 * 60 * 1000;

const keyIdOf = (token: string) => decodeProtectedHeader(token).kid ?? '';

class RotationSoak {
  readonly #service: SoakedService;
  readonly #clientId: string;
  readonly #options: RotationSoakOptions;
  readonly #applications: readonly Application[];
  /** The secret that the applications have, or learn now. */
  #newestSecret: string;
  readonly #endings: Promise<void>[] = [];
  #copies: readonly KeySetCopy[] = [];
  /** Earliest time at which a token of each key verifies everywhere, in milliseconds since the epoch. */
  readonly #usableFrom = new Map<string, number>();
  #begun = 0;
  /** To be done between two rounds of the load, when no request is under way. */
  readonly #waiting: (() => Promise<void>)[] = [];
  #changing = true;
  readonly #failed: string[] = [];
  readonly #counts = {
    rounds: 0,
    tokens: 0,
    volumes: 0,
    syncs: 0,
    forged: 0,
    verifications: 0,
    notVerified: 0,
    signingKeyRotations: 0,
    clientSecretRotations: 0,
    endedSecrets: 0,
    keysPublished: 0,
  };

  constructor(service: SoakedService, client: ClientWithSecret, options: RotationSoakOptions) {
    this.#service = service;
    this.#clientId = client.client_id;
    this.#options = options;
    this.#newestSecret = client.client_secret;
    this.#applications = Array.from({ length: options.clients }, () => ({
      clientSecret: client.client_secret,
      tokens: [],
    }));
  }

  async run(): Promise<RotationSoakResult> {
    await this.#warmUp();
    // Nobody held a key set before the first keys.
    await this.#readKeys(Number.NEGATIVE_INFINITY);
    this.#counts.keysPublished = 0;
    this.#begun = Date.now();
    // The copies begin one after another within the time that one is held.
    const apart = (Math.min(300, this.#options.seconds) * 1000) / 4;
    this.#copies = [0, 1, 2, 3].map((place) => ({ beginsAt: this.#begun + place * apart, staleAt: 0 }));
    const changes = this.#change().finally(() => {
      this.#changing = false;
    });
    await Promise.all([changes, this.#load()]);
    const tokens = this.#applications.flatMap((application) => application.tokens);
    // No token has expired yet.
    for (const token of tokens) {
      await this.#verify(token);
    }
    await this.#readKeys(Date.now());
    return {
      ...this.#counts,
      failed: this.#failed,
      signedTooSoon: tokens.filter((token) => this.#isTooSoon(token)).length,
      keysThatSigned: new Set(tokens.map(keyIdOf)).size,
      failedRefreshes: await this.#failedRefreshes(),
    };
  }

  /** Notes the keys that are new. They were not published before the given time. */
  async #readKeys(publishedAt: number): Promise<void> {
    const { keys } = await getKeySet(this.#service.deployment);
    for (const { kid } of keys.map(({ jwk }) => jwk)) {
      if (!this.#usableFrom.has(kid)) {
        this.#usableFrom.set(kid, publishedAt + heldMilliseconds);
        this.#counts.keysPublished += 1;
      }
    }
  }

  /** Whether somebody may still hold a key set without the key of this token when it was issued. */
  #isTooSoon(token: string): boolean {
    const issuedAt = (decodeJwt(token).iat ?? 0) * 1000;
    const usableFrom = this.#usableFrom.get(keyIdOf(token)) ?? Number.POSITIVE_INFINITY;
    // The time of issue is in whole seconds, rounded down.
    return issuedAt + 1000 <= usableFrom;
  }

  /**
   * Until there are as many warm functions as clients. A function that starts while Secrets Manager fails has
   * no keys at all, and can only answer 500: steady load is what starts none.
   */
  async #warmUp(): Promise<void> {
    for (let round = 0; round < 2 * this.#options.clients; round += 1) {
      await this.#round();
    }
  }

  async #load(): Promise<void> {
    const end = this.#begun + this.#options.seconds * 1000;
    while (Date.now() < end || this.#changing) {
      const next = Date.now() + this.#options.pauseMilliseconds;
      await this.#round();
      for (const work of this.#waiting.splice(0)) {
        await work();
      }
      await delay(Math.max(0, next - Date.now()));
    }
  }

  /**
   * Restarts the functions, between two rounds of the load, and resolves when all are warm again: from then on they
   * sign and verify with what a rotation made, as they would by themselves within five minutes.
   */
  async #restartFunctions(): Promise<void> {
    const restart = this.#service.restartFunctions;
    if (restart !== undefined) {
      await this.#betweenRounds(async () => {
        await restart();
        await this.#warmUp();
      });
    }
  }

  #betweenRounds<Value>(work: () => Promise<Value>): Promise<Value> {
    return new Promise((resolve, reject) => {
      this.#waiting.push(() => work().then(resolve, reject));
    });
  }

  async #awaitRounds(): Promise<void> {
    for (let round = 0; round < roundsBetweenChanges; round += 1) {
      await this.#betweenRounds(() => Promise.resolve());
    }
  }

  /** Everybody does the same at the same time, so that every warm function stays in use. */
  async #round(): Promise<void> {
    this.#counts.rounds += 1;
    await this.#all('tokens', 200, (application) => this.#requestToken(application));
    await this.#all('volumes', 200, ({ tokens }) => this.#call('GET /v0/volumes', bearer(tokens.at(-1))));
    await this.#all('syncs', 200, ({ tokens }) => {
      const token = tokens[Math.floor(Math.random() * tokens.length)];
      return this.#call(`POST /v0/files/${fileId}/sync`, bearer(token));
    });
    await this.#all('forged', 401, () => this.#call('GET /v0/volumes', bearer(forgedToken())));
    for (const { tokens } of this.#applications) {
      await this.#verify(tokens.at(-1) ?? '');
    }
  }

  async #all(
    what: 'tokens' | 'volumes' | 'syncs' | 'forged',
    expected: number,
    call: (application: Application) => Promise<Answer>,
  ): Promise<void> {
    const answers = await Promise.all(this.#applications.map(call));
    this.#counts[what] += answers.length;
    const wrong = answers.filter(({ status }) => status !== expected);
    this.#failed.push(...wrong.map(({ status }) => `${what}: ${status}`));
  }

  async #requestToken({ clientSecret, tokens }: Application): Promise<Answer> {
    const credentials = Buffer.from(`${this.#clientId}:${clientSecret}`).toString('base64');
    const form = new URLSearchParams({ grant_type: 'client_credentials' });
    const answer = await this.#call('POST /oauth/token', `Basic ${credentials}`, form);
    if (answer.status === 200) {
      tokens.push((JSON.parse(answer.body) as { access_token: string }).access_token);
    }
    return answer;
  }

  async #call(route: string, authorization: string, body?: URLSearchParams): Promise<Answer> {
    const [method = '', path = ''] = route.split(' ');
    const init = { method, headers: { authorization }, ...(body && { body }) };
    try {
      const response = await fetch(`${this.#service.baseUrl}${path}`, init);
      return { status: response.status, body: await response.text() };
    } catch {
      return { status: 0, body: '' };
    }
  }

  /** Verifies a token with each copy of the key set that has begun. */
  async #verify(token: string): Promise<void> {
    const expected = { issuer: this.#service.baseUrl, audience: this.#service.baseUrl, typ: 'at+jwt' };
    for (const copy of this.#copies.filter(({ beginsAt }) => Date.now() >= beginsAt)) {
      const find = await this.#keysOf(copy);
      this.#counts.verifications += 1;
      await jwtVerify(token, find, expected).catch(() => {
        this.#counts.notVerified += 1;
      });
    }
  }

  /** Fetches the key set only when the copy's time is over, not for a key that it does not know. */
  async #keysOf(copy: KeySetCopy): Promise<ReturnType<typeof createLocalJWKSet>> {
    if (copy.find === undefined || Date.now() >= copy.staleAt) {
      const response = await fetch(`${this.#service.baseUrl}/.well-known/jwks.json`);
      const maxAge = /max-age=(\d+)/.exec(response.headers.get('cache-control') ?? '')?.[1];
      if (response.status !== 200 || maxAge === undefined) {
        throw new Error(`The key set answers ${response.status} without a max-age`);
      }
      copy.find = createLocalJWKSet((await response.json()) as JSONWebKeySet);
      copy.staleAt = Date.now() + Number(maxAge) * 1000;
    }
    return copy.find;
  }

  /** The changes, each no earlier than its share of the time, with rounds of requests after each. */
  async #change(): Promise<void> {
    const changes = [
      [0.04, () => this.#rotateSigningKey()],
      [0.05, () => this.#restartFunctions()],
      [0.06, () => this.#rotateClientSecret()],
      [0.1, () => this.#rotateSigningKey()],
      // Now the functions have keys of which one must wait: no copy of the key set holds it.
      [0.11, () => this.#restartFunctions()],
      [0.29, () => this.#failSecretsManager()],
      [0.36, () => this.#rotateSigningKey()],
      [0.5, () => this.#rotateClientSecret()],
    ] as const;
    for (const [share, change] of changes) {
      const due = this.#begun + share * this.#options.seconds * 1000;
      await delay(Math.max(0, due - Date.now()));
      await change();
      await this.#awaitRounds();
    }
    await Promise.all(this.#endings);
  }

  async #rotateSigningKey(): Promise<void> {
    const began = Date.now();
    await rotateSigningKey(this.#service.deployment);
    await this.#readKeys(began);
    this.#counts.signingKeyRotations += 1;
    this.#say('the signing key was rotated');
  }

  /**
   * The applications learn the new secret one after another, the last one when a quarter of the grace is over. The rest
   * is for the requests that are under way: several seconds, on a busy machine.
   */
  async #rotateClientSecret(): Promise<void> {
    const graceSeconds = Math.max(8, Math.round(this.#options.seconds * 0.07));
    const { client_secret } = await rotateSecret(this.#service.deployment, this.#clientId, graceSeconds);
    this.#endings.push(this.#expectEnded(this.#newestSecret, Date.now() + graceSeconds * 1000));
    this.#newestSecret = client_secret;
    this.#counts.clientSecretRotations += 1;
    this.#say(`the client secret was rotated, with ${graceSeconds} s of grace`);
    for (const application of this.#applications) {
      await delay((graceSeconds * 250) / this.#applications.length);
      application.clientSecret = client_secret;
    }
  }

  /**
   * Tries a secret when its grace is over. The rotation set its end before `end`, by the same clock. It waits for a pause
   * of the load: one request more at the same time would start a function, which has no keys during the outage.
   */
  async #expectEnded(oldSecret: string, end: number): Promise<void> {
    await delay(Math.max(0, end - Date.now()));
    const late = { clientSecret: oldSecret, tokens: [] };
    const { status } = await this.#betweenRounds(() => this.#requestToken(late));
    this.#counts.endedSecrets += 1;
    if (status !== 401) {
      this.#failed.push(`old secret after its end: ${status}`);
    }
  }

  async #failSecretsManager(): Promise<void> {
    setFaults(this.#service.stateDirectory, { secretsmanager: 'failing' });
    this.#say(`Secrets Manager fails for ${this.#options.outageSeconds} s`);
    const { outageSeconds } = this.#options;
    await delay(outageSeconds * 1000);
    const latest = Date.now() + longestOutage * outageSeconds * 1000;
    while ((await this.#failedRefreshes()) === 0 && Date.now() < latest) {
      await delay(200);
    }
    setFaults(this.#service.stateDirectory, {});
  }

  #failedRefreshes(): Promise<number> {
    return countLogged(this.#service.stateDirectory, logMessages.refreshFailed);
  }

  #say(what: string): void {
    this.#options.report(`${Math.round((Date.now() - this.#begun) / 1000)} s: ${what}`);
  }
}

interface Answer {
  /** 0 when the connection ended without an answer. */
  readonly status: number;
  readonly body: string;
}

const bearer = (token: string | undefined) => `Bearer ${token}`;

/** Names a key that no set has. */
function forgedToken(): string {
  const header = { alg: 'ES256', typ: 'at+jwt', kid: randomBytes(32).toString('base64url') };
  const parts = [JSON.stringify(header), '{}', 'forged'];
  return parts.map((part) => Buffer.from(part).toString('base64url')).join('.');
}

async function countLogged(stateDirectory: string, message: string): Promise<number> {
  const directory = join(stateDirectory, 'logs');
  const files = await readdir(directory);
  const texts = await Promise.all(files.map((file) => readFile(join(directory, file), 'utf8')));
  return texts.join('').split(`"message":"${message}"`).length - 1;
}
