import { readdir, readFile } from 'node:fs/promises';
import { Agent, request } from 'node:http';
import { join } from 'node:path';
import { localDeployment } from '../../cli/deployment/local-deployment.ts';
import { createClient } from '../../cli/operations/clients.ts';
import { createFile } from '../../cli/operations/files.ts';
import { fetchToken } from '../../test/support/fetch-token.ts';
import { type LocalRun, startLocalRun } from '../../test/support/local-run.ts';

/** What is sent to a service, as often as wanted. */
export type Send = () => Promise<void>;

/** A local run with a client and a file of its own. */
export interface Service {
  readonly run: LocalRun;
  /** One request of each endpoint, by its name. It fails when the answer is not a success. */
  readonly endpoints: Readonly<Record<EndpointName, Send>>;
  /** Stores so many uploads, and resolves when all are recorded. */
  readonly recordUploads: (count: number) => Promise<void>;
  readonly stop: () => Promise<void>;
}

/** Everything that answers clients. */
export const endpointNames = ['token', 'volumes', 'sync', 'discovery', 'key set', 'API description'] as const;

export type EndpointName = (typeof endpointNames)[number];

/** @param connections the most requests at the same time */
export async function startService(stateDirectory: string | undefined, connections = 16): Promise<Service> {
  const run = await startLocalRun(stateDirectory === undefined ? {} : { stateDirectory });
  const deployment = await localDeployment(run.stateDirectory);
  const organisationId = 'growth';
  const { client_id: clientId, client_secret: clientSecret } = await createClient(deployment, {
    organisationId,
    name: 'Growth',
    scopes: ['volume:read', 'sync:create'],
  });
  const file = await createFile(deployment, { organisationId, name: 'growth.bin', syncEnabled: true });
  const token = await fetchToken(run.baseUrl, { clientId, clientSecret });
  const agent = new Agent({ keepAlive: true, maxSockets: connections });
  const send = (options: HttpRequest) => exchange(agent, options);
  const bearer = { authorization: `Bearer ${token}` };
  const syncPath = `${run.baseUrl}/v0/files/${file.file_id}/sync`;
  const sync = () => send({ method: 'POST', url: syncPath, headers: bearer });
  const get =
    (path: string, headers = {}) =>
    async () =>
      void (await send({ method: 'GET', url: `${run.baseUrl}${path}`, headers }));
  const credentials = { grant_type: 'client_credentials', client_id: clientId, client_secret: clientSecret };
  return {
    run,
    endpoints: {
      token: async () =>
        void (await send({
          method: 'POST',
          url: `${run.baseUrl}/oauth/token`,
          headers: { 'content-type': 'application/x-www-form-urlencoded' },
          body: new URLSearchParams(credentials).toString(),
        })),
      volumes: get('/v0/volumes', bearer),
      sync: async () => void (await sync()),
      discovery: get('/.well-known/openid-configuration'),
      'key set': get('/.well-known/jwks.json'),
      'API description': get('/v0/openapi.json'),
    },
    recordUploads: async (count) => {
      const before = await recorded(run.stateDirectory);
      for (let index = 0; index < count; index += 1) {
        const answer: { data: { upload_url: string } } = JSON.parse(await sync());
        await send({ method: 'PUT', url: answer.data.upload_url, headers: {}, body: 'bytes' });
      }
      // The log says it without a request that would cost the service CPU time.
      while ((await recorded(run.stateDirectory)) < before + count) {
        await new Promise((resolve) => setTimeout(resolve, 20));
      }
    },
    stop: async () => {
      agent.destroy();
      await run.stop();
    },
  };
}

/** How many uploads the log of `record-upload` has as recorded. */
async function recorded(stateDirectory: string): Promise<number> {
  const folder = join(stateDirectory, 'logs');
  const name = (await readdir(folder)).find((file) => file.includes('RecorderRecordFunction'));
  const text = name === undefined ? '' : await readFile(join(folder, name), 'utf8');
  return text.split('"Upload recorded"').length - 1;
}

interface HttpRequest {
  readonly method: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
}

/** @throws {Error} when the status is not 200 */
function exchange(agent: Agent, { method, url, headers, body = '' }: HttpRequest): Promise<string> {
  return new Promise((resolve, reject) => {
    const length = { 'content-length': Buffer.byteLength(body) };
    const outgoing = request(url, { method, agent, headers: { ...headers, ...length } }, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('error', reject);
      response.on('end', () => {
        const text = Buffer.concat(chunks).toString();
        if (response.statusCode === 200) {
          resolve(text);
        } else {
          reject(
            new Error(`${method} ${new URL(url).pathname} was answered with ${response.statusCode}: ${text}`),
          );
        }
      });
    });
    outgoing.on('error', reject);
    outgoing.end(body);
  });
}
