import { randomBytes } from 'node:crypto';
import { Agent, request } from 'node:http';

export interface LoadAnswer {
  /** 0 when the connection ended without an answer. */
  readonly status: number;
  readonly body: string;
}

/** One client application on one kept connection. Never shows its secret or a token. */
export class Connection {
  readonly #agent = new Agent({ keepAlive: true, maxSockets: 1 });
  readonly #baseUrl: string;
  readonly #clientId: string;
  #clientSecret: string;
  /** Every token that it got, oldest first. */
  readonly tokens: string[] = [];

  constructor(baseUrl: string, clientId: string, clientSecret: string) {
    this.#baseUrl = baseUrl;
    this.#clientId = clientId;
    this.#clientSecret = clientSecret;
  }

  useSecret(clientSecret: string): void {
    this.#clientSecret = clientSecret;
  }

  async token(): Promise<LoadAnswer> {
    const credentials = Buffer.from(`${this.#clientId}:${this.#clientSecret}`).toString('base64');
    const answer = await this.#call(
      'POST',
      '/oauth/token',
      `Basic ${credentials}`,
      'grant_type=client_credentials',
    );
    if (answer.status === 200)
      this.tokens.push((JSON.parse(answer.body) as { access_token: string }).access_token);
    return answer;
  }

  /** Lists volumes with the newest token. */
  volumes(): Promise<LoadAnswer> {
    return this.#call('GET', '/v0/volumes', `Bearer ${this.tokens.at(-1)}`);
  }

  /** Asks for an upload URL with a token of any age. */
  sync(fileId: string): Promise<LoadAnswer> {
    const token = this.tokens[Math.floor(Math.random() * this.tokens.length)];
    return this.#call('POST', `/v0/files/${fileId}/sync`, `Bearer ${token}`);
  }

  /** Lists volumes with a token that names a key which no set has. */
  forged(): Promise<LoadAnswer> {
    const header = { alg: 'ES256', typ: 'at+jwt', kid: randomBytes(32).toString('base64url') };
    const parts = [JSON.stringify(header), '{}', 'forged'].map((part) =>
      Buffer.from(part).toString('base64url'),
    );
    return this.#call('GET', '/v0/volumes', `Bearer ${parts.join('.')}`);
  }

  close(): void {
    this.#agent.destroy();
  }

  #call(method: string, path: string, authorization: string, form?: string): Promise<LoadAnswer> {
    const headers = {
      authorization,
      ...(form === undefined ? {} : { 'content-type': 'application/x-www-form-urlencoded' }),
    };
    return new Promise((resolve) => {
      const outgoing = request(`${this.#baseUrl}${path}`, { method, headers, agent: this.#agent });
      outgoing.once('error', () => resolve({ status: 0, body: '' }));
      outgoing.once('response', (response) => {
        let body = '';
        response.setEncoding('utf8');
        response.on('data', (chunk: string) => {
          body += chunk;
        });
        response.once('end', () => resolve({ status: response.statusCode ?? 0, body }));
        response.once('error', () => resolve({ status: 0, body: '' }));
      });
      outgoing.end(form);
    });
  }
}
