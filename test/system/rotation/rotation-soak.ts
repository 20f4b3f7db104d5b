/**
 * Rotates keys and secrets while clients work: the signing key once or twice, a client secret twice. Secrets
 * Manager fails in between. Checks every response and every token, and tries each old secret after it
 * expires.
 */
import { randomBytes } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { setFaults } from 'cloud-assembly-emulator/faults';
import { createLocalJWKSet, decodeProtectedHeader, type JSONWebKeySet, jwtVerify } from 'jose';
import { logMessages } from '../../../contract/internal/log-messages.ts';
import type { ClientWithSecret } from '../../../tools/operator/clients/client.ts';
import { rotateSecret } from '../../../tools/operator/clients/secrets.ts';
import { rotateSigningKey } from '../../../tools/operator/signing-keys/signing-key.ts';
import { createApiUser } from '../../support/api-user.ts';
import { tokenPart } from '../../support/forged-token.ts';
import { type RunningStack, startRunningStack } from '../../support/running-stack.ts';
import { isLong, report } from '../soak.ts';

export interface RotationSoakOptions {
  /** Number of concurrent client applications, and of functions of each kind. */
  readonly clients: number;
  /** Time between the starts of two rounds of requests. */
  readonly pauseMilliseconds: number;
  /** Duration of the load. A published key may sign after 11 minutes, so shorter runs see one rotation. */
  readonly seconds: number;
  /** Minimum duration of a Secrets Manager outage. It lasts until a function has noticed it. */
  readonly outageSeconds: number;
}

/** @returns responses that clients received */
export async function runRotationSoak(options: RotationSoakOptions) {
  const stack = await startRunningStack();
  try {
    const { client, newFile } = await createApiUser(stack);
    return await new RotationSoak(stack, client, await newFile(), options).run();
  } finally {
    await stack.close();
  }
}

/** A client application: its secret, and all its tokens, the oldest first. */
interface Application {
  clientSecret: string;
  readonly tokens: string[];
}

/**
 * The key set in the cache of a client that uses the whole max-age of Cache-Control (RFC 9111 section
 * 5.2.2.1).
 */
interface KeySetCopy {
  readonly find: ReturnType<typeof createLocalJWKSet>;
  readonly staleAt: number;
}

const bearer = (token = '') => ({ authorization: `Bearer ${token}` });

class RotationSoak {
  readonly #stack: RunningStack;
  readonly #options: RotationSoakOptions;
  readonly #clientId: string;
  readonly #fileId: string;
  readonly #applications: readonly Application[];
  /** Secret that the applications use, or receive now. */
  #newestSecret: string;
  /** A secret from before each change. */
  readonly #copies: KeySetCopy[] = [];
  /** Requests with an unexpected response, as `what: status`. */
  readonly #failed: string[] = [];
  /**
   * Verifications of tokens by clients with their own copies of the key set: all of them, and failed ones.
   */
  readonly #counts = { verifications: 0, notVerified: 0 };
  #begun = 0;

  constructor(stack: RunningStack, client: ClientWithSecret, fileId: string, options: RotationSoakOptions) {
    this.#stack = stack;
    this.#options = options;
    this.#clientId = client.client_id;
    this.#fileId = fileId;
    this.#newestSecret = client.client_secret;
    this.#applications = Array.from({ length: options.clients }, () => ({
      clientSecret: client.client_secret,
      tokens: [],
    }));
  }

  async run() {
    await this.#warmUp();
    this.#begun = Date.now();
    await this.#changeUnderLoad();
    const tokens = this.#applications.flatMap((application) => application.tokens);
    // No token has expired yet. Tokens are verified one after the other, so that a stale copy of the key set
    // is fetched once.
    for (const token of tokens) {
      await this.#verify(token);
    }
    return {
      ...this.#counts,
      failed: this.#failed,
      keysThatSigned: new Set(tokens.map((token) => decodeProtectedHeader(token).kid)).size,
      /** Number of times that a function continued with its cached keys, because Secrets Manager failed. */
      failedRefreshes: await this.#failedRefreshes(),
    };
  }

  /**
   * Makes the changes, each no earlier than its share of the time, and with at least two whole rounds after
   * each.
   */
  async #changeUnderLoad(): Promise<void> {
    const rotateKey = {
      text: 'the signing key is rotated',
      change: () => rotateSigningKey(this.#stack.deployment),
      // Shows effects within seconds that the caches of the functions would hide for minutes.
      restart: !isLong,
    };
    const rotateSecret = {
      text: 'the client secret is rotated',
      change: () => this.#rotateClientSecret(),
      restart: false,
    };
    const outage = {
      text: 'Secrets Manager fails',
      change: () => this.#failSecretsManager(),
      restart: false,
    };
    const changes = [
      { share: 0.04, ...rotateKey },
      { share: 0.05, ...rotateSecret },
      // The next key must wait: no copy of the key set contains it.
      { share: 0.13, ...rotateKey },
      { share: 0.29, ...outage },
      { share: 0.5, ...rotateSecret },
      // In a long run, the next key may sign now.
      { share: 0.9, ...rotateKey },
    ];
    for (const { share, text, change, restart } of changes) {
      await this.#load(() => this.#passed() >= share);
      this.#copies.push(await this.#copyKeySet());
      report(`${Math.round((Date.now() - this.#begun) / 1000)} s: ${text}`);
      let changing = true;
      const changed = change().finally(() => {
        changing = false;
      });
      await this.#load(() => !changing);
      await changed;
      if (restart) {
        await this.#stack.endIdleEnvironments();
        await this.#warmUp();
      }
      await this.#round();
      await this.#round();
    }
    await this.#load(() => this.#passed() >= 1);
  }

  /** Returns the share of the time that has passed. */
  #passed(): number {
    return (Date.now() - this.#begun) / (this.#options.seconds * 1000);
  }

  /**
   * Waits until each application has a warm function, and one function has served the key set. A function
   * that starts while Secrets Manager fails cannot read any keys, and can only respond with 500: steady load
   * starts no functions.
   */
  async #warmUp(): Promise<void> {
    await this.#copyKeySet();
    for (let round = 0; round < 2 * this.#options.clients; round += 1) {
      await this.#round();
    }
  }

  async #load(until: () => boolean): Promise<void> {
    while (!until()) {
      const next = Date.now() + this.#options.pauseMilliseconds;
      await this.#round();
      await delay(Math.max(0, next - Date.now()));
    }
  }

  /** All clients send the same requests at the same time, so every warm function stays in use. */
  async #round(): Promise<void> {
    await this.#all(({ clientSecret, tokens }) =>
      this.#requestToken('token', 200, clientSecret).then((token) => tokens.push(...token)),
    );
    await this.#all(({ tokens }) =>
      this.#call('volumes', 200, '/v0/volumes', { headers: bearer(tokens.at(-1)) }),
    );
    await this.#all(({ tokens }) => {
      const headers = bearer(tokens[Math.floor(Math.random() * tokens.length)]);
      return this.#call('sync', 200, `/v0/files/${this.#fileId}/sync`, { method: 'POST', headers });
    });
    await this.#all(() => this.#call('forged token', 401, '/v0/volumes', { headers: bearer(forgedToken()) }));
    await this.#all(({ tokens }) => this.#verify(tokens.at(-1) ?? ''));
  }

  async #all(act: (application: Application) => Promise<unknown>): Promise<void> {
    await Promise.all(this.#applications.map(act));
  }

  /** @returns token, if one was issued */
  async #requestToken(what: string, expected: number, clientSecret: string): Promise<readonly string[]> {
    const credentials = Buffer.from(`${this.#clientId}:${clientSecret}`).toString('base64');
    const body = await this.#call(what, expected, '/oauth/token', {
      method: 'POST',
      headers: { authorization: `Basic ${credentials}` },
      body: new URLSearchParams({ grant_type: 'client_credentials' }),
    });
    const { access_token: token } = JSON.parse(body || '{}') as { readonly access_token?: string };
    return token === undefined ? [] : [token];
  }

  async #call(what: string, expected: number, path: string, init: RequestInit): Promise<string> {
    const response = await fetch(`${this.#stack.baseUrl}${path}`, init).then(
      async (response) => ({ status: response.status, body: await response.text() }),
      () => ({ status: 0, body: '' }),
    );
    if (response.status !== expected) {
      this.#failed.push(`${what}: ${response.status}`);
    }
    return response.body;
  }

  async #copyKeySet(): Promise<KeySetCopy> {
    const response = await fetch(`${this.#stack.baseUrl}/.well-known/jwks.json`);
    const maxAge = /max-age=(\d+)/.exec(response.headers.get('cache-control') ?? '')?.[1];
    if (response.status !== 200 || maxAge === undefined) {
      throw new Error(`The key set responded with ${response.status} and max-age ${maxAge}`);
    }
    const find = createLocalJWKSet((await response.json()) as JSONWebKeySet);
    return { find, staleAt: Date.now() + Number(maxAge) * 1000 };
  }

  /** Verifies a token with each copy of the key set. Expired copies are fetched again. */
  async #verify(token: string): Promise<void> {
    const expected = { issuer: this.#stack.baseUrl, audience: this.#stack.baseUrl, typ: 'at+jwt' };
    for (const [index, copy] of this.#copies.entries()) {
      const held = Date.now() < copy.staleAt ? copy : await this.#copyKeySet();
      this.#copies[index] = held;
      this.#counts.verifications += 1;
      await jwtVerify(token, held.find, expected).catch(() => {
        this.#counts.notVerified += 1;
      });
    }
  }

  /**
   * Sends the new secret to the applications one after another, to the last one after a quarter of the grace
   * period. The rest is for requests in progress: several seconds, on a busy machine. Then tries the old
   * secret.
   */
  async #rotateClientSecret(): Promise<void> {
    const oldSecret = this.#newestSecret;
    const graceSeconds = Math.max(8, Math.round(this.#options.seconds * 0.07));
    const { client_secret } = await rotateSecret(this.#stack.deployment, this.#clientId, graceSeconds);
    const end = Date.now() + graceSeconds * 1000;
    this.#newestSecret = client_secret;
    for (const application of this.#applications) {
      await delay((graceSeconds * 250) / this.#applications.length);
      application.clientSecret = client_secret;
    }
    await delay(end - Date.now());
    await this.#requestToken('old secret after its end', 401, oldSecret);
  }

  async #failSecretsManager(): Promise<void> {
    const { outageSeconds } = this.#options;
    setFaults(this.#stack.stateDirectory, { secretsmanager: 'failing' });
    await delay(outageSeconds * 1000);
    const latest = Date.now() + 10 * outageSeconds * 1000;
    while ((await this.#failedRefreshes()) === 0 && Date.now() < latest) {
      await delay(200);
    }
    setFaults(this.#stack.stateDirectory, {});
  }

  async #failedRefreshes(): Promise<number> {
    const folder = join(this.#stack.stateDirectory, 'logs');
    const texts = (await readdir(folder)).map((file) => readFile(join(folder, file), 'utf8'));
    return (await Promise.all(texts)).join('').split(`"message":"${logMessages.refreshFailed}"`).length - 1;
  }
}

/** Creates a token with the id of a key that no set contains. */
function forgedToken(): string {
  const header = { alg: 'ES256', typ: 'at+jwt', kid: randomBytes(32).toString('base64url') };
  const signature = Buffer.from('forged').toString('base64url');
  return [tokenPart(header), tokenPart({}), signature].join('.');
}
