/**
 * Keys and secrets change while clients work: the signing key three times, a client secret twice, and in
 * between Secrets Manager fails. Every answer and every token is looked at, and each old secret is tried after its end.
 */
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { setFaults } from 'cloud-assembly-emulator/faults';
import { logMessages } from '../../../lambdas/shared/log/log.ts';
import { rotateSecret } from '../../../tools/operator/client-secrets.ts';
import { type ClientWithSecret, createClient } from '../../../tools/operator/clients.ts';
import type { Deployment } from '../../../tools/operator/deployment/deployment.ts';
import { localDeployment } from '../../../tools/operator/deployment/local-deployment.ts';
import { createFile } from '../../../tools/operator/files.ts';
import { rotateSigningKey } from '../../../tools/operator/signing-keys.ts';
import { startLocalRun } from '../../support/local-run.ts';
import { startRunningStack } from '../../support/running-stack.ts';
import { Connection, type LoadAnswer } from './connection.ts';
import { KeySetCopy, keyIdOf } from './key-set-copy.ts';
import { PublishedKeys } from './published-keys.ts';

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
  readonly connections: number;
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
  readonly keySetFetches: number;
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

class RotationSoak {
  readonly #service: SoakedService;
  readonly #client: ClientWithSecret;
  readonly #options: RotationSoakOptions;
  readonly #connections: readonly Connection[];
  readonly #published: PublishedKeys;
  /** The secret that the applications have, or learn now. */
  #newestSecret: string;
  readonly #endings: Promise<void>[] = [];
  #copies: readonly KeySetCopy[] = [];
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
  };

  constructor(service: SoakedService, client: ClientWithSecret, options: RotationSoakOptions) {
    this.#service = service;
    this.#client = client;
    this.#options = options;
    const { client_id, client_secret } = client;
    this.#newestSecret = client_secret;
    this.#published = new PublishedKeys(service.deployment);
    this.#connections = Array.from(
      { length: options.connections },
      () => new Connection(service.baseUrl, client_id, client_secret),
    );
  }

  async run(): Promise<RotationSoakResult> {
    await this.#warmUp();
    await this.#published.readFirst();
    this.#begun = Date.now();
    // The copies begin one after another within the time that one is held.
    const apart = (Math.min(300, this.#options.seconds) * 1000) / 4;
    this.#copies = [0, 1, 2, 3].map(
      (place) => new KeySetCopy(this.#service.baseUrl, this.#begun + place * apart),
    );
    const changes = this.#change().finally(() => {
      this.#changing = false;
    });
    await Promise.all([changes, this.#load()]);
    await this.#verifyAllAgain();
    await this.#published.read();
    for (const connection of this.#connections) {
      connection.close();
    }
    return {
      ...this.#counts,
      failed: this.#failed,
      keySetFetches: this.#copies.reduce((sum, copy) => sum + copy.fetches, 0),
      keysPublished: this.#published.count,
      signedTooSoon: this.#allTokens().filter((token) => this.#published.isTooSoon(token)).length,
      keysThatSigned: new Set(this.#allTokens().map(keyIdOf)).size,
      failedRefreshes: await this.#failedRefreshes(),
    };
  }

  /**
   * Until there are as many warm functions as connections. A function that starts while Secrets Manager fails has
   * no keys at all, and can only answer 500: steady load is what starts none.
   */
  async #warmUp(): Promise<void> {
    for (let round = 0; round < 2 * this.#connections.length; round += 1) {
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
    await this.#all('tokens', 200, (connection) => connection.token());
    await this.#all('volumes', 200, (connection) => connection.volumes());
    await this.#all('syncs', 200, (connection) => connection.sync(fileId));
    await this.#all('forged', 401, (connection) => connection.forged());
    for (const { tokens } of this.#connections) {
      await this.#verify(tokens.at(-1));
    }
  }

  async #all(
    what: 'tokens' | 'volumes' | 'syncs' | 'forged',
    expected: number,
    call: (connection: Connection) => Promise<LoadAnswer>,
  ): Promise<void> {
    const answers = await Promise.all(this.#connections.map(call));
    this.#counts[what] += answers.length;
    const wrong = answers.filter(({ status }) => status !== expected);
    this.#failed.push(...wrong.map(({ status }) => `${what}: ${status}`));
  }

  async #verify(token: string | undefined): Promise<void> {
    if (token === undefined) {
      return;
    }
    for (const copy of this.#copies) {
      const verifies = await copy.verifies(token);
      if (verifies !== undefined) {
        this.#counts.verifications += 1;
      }
      if (verifies === false) {
        this.#counts.notVerified += 1;
      }
    }
  }

  /** No token has expired yet. */
  async #verifyAllAgain(): Promise<void> {
    for (const token of this.#allTokens()) {
      await this.#verify(token);
    }
  }

  #allTokens(): readonly string[] {
    return this.#connections.flatMap(({ tokens }) => tokens);
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
    await this.#published.read(began);
    this.#counts.signingKeyRotations += 1;
    this.#say('the signing key was rotated');
  }

  /**
   * The applications learn the new secret one after another, the last one when a quarter of the grace is over. The rest
   * is for the requests that are under way: several seconds, on a busy machine.
   */
  async #rotateClientSecret(): Promise<void> {
    const graceSeconds = Math.max(8, Math.round(this.#options.seconds * 0.07));
    const { client_secret } = await rotateSecret(
      this.#service.deployment,
      this.#client.client_id,
      graceSeconds,
    );
    this.#endings.push(this.#expectEnded(this.#newestSecret, Date.now() + graceSeconds * 1000));
    this.#newestSecret = client_secret;
    this.#counts.clientSecretRotations += 1;
    this.#say(`the client secret was rotated, with ${graceSeconds} s of grace`);
    for (const connection of this.#connections) {
      await delay((graceSeconds * 250) / this.#connections.length);
      connection.useSecret(client_secret);
    }
  }

  /**
   * Tries a secret when its grace is over. The rotation set its end before `end`, by the same clock. It waits for a pause
   * of the load: one request more at the same time would start a function, which has no keys during the outage.
   */
  async #expectEnded(oldSecret: string, end: number): Promise<void> {
    await delay(Math.max(0, end - Date.now()));
    const late = new Connection(this.#service.baseUrl, this.#client.client_id, oldSecret);
    const { status } = await this.#betweenRounds(() => late.token());
    late.close();
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

async function countLogged(stateDirectory: string, message: string): Promise<number> {
  const directory = join(stateDirectory, 'logs');
  const files = await readdir(directory);
  const texts = await Promise.all(files.map((file) => readFile(join(directory, file), 'utf8')));
  return texts.join('').split(`"message":"${message}"`).length - 1;
}
