import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';

/** An API that publishes a description, as a deployment does, and counts what it is asked. */
export interface StubApi {
  readonly baseUrl: string;
  /** The text of the description. */
  document: string;
  /** What was asked for: `GET /v0/openapi.json`. */
  readonly requests: string[];
  readonly stop: () => Promise<void>;
}

const described = fileURLToPath(new URL('../../../lambdas/well-known/openapi.json', import.meta.url));

/** Serves the description of this service. Tests put other ones in its place. */
export async function startStubApi(): Promise<StubApi> {
  const server = createServer((request, response) => {
    api.requests.push(`${request.method} ${request.url}`);
    const body = answers[request.url ?? '']?.();
    response.writeHead(body === undefined ? 404 : 200, { 'content-type': 'application/json' });
    response.end(body ?? '{}');
  });
  const answers: Readonly<Record<string, () => string>> = {
    '/v0/openapi.json': () => api.document,
    '/.well-known/openid-configuration': () => JSON.stringify({ issuer: api.baseUrl }),
  };
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const api: StubApi = {
    baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    document: await readFile(described, 'utf8'),
    requests: [],
    stop: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
  return api;
}
