import { mkdtemp, rm } from 'node:fs/promises';
import { request } from 'node:http';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { decodeJwt } from 'jose';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { localDeployment } from '../../cli/deployment/local-deployment.ts';
import { type ClientWithSecret, createClient } from '../../cli/operations/clients.ts';
import { createFile } from '../../cli/operations/files.ts';
import { formatTime } from '../../contract/former-base-urls.ts';
import { fetchToken } from '../support/fetch-token.ts';
import { type LocalRun, type LocalRunOptions, startLocalRun } from '../support/local-run.ts';
import { admin } from '../support/run-admin.ts';

const later = '2100-01-01T00:00:00Z';
const earlier = '2020-01-01T00:00:00Z';

let stateDirectory: string;
let run: LocalRun;
let client: ClientWithSecret;
let oldUrl: string;
let oldToken: string;
let fileId: string;

beforeAll(async () => {
  stateDirectory = await mkdtemp(join(tmpdir(), 'file-sync-address-'));
  run = await startLocalRun({ stateDirectory });
  const deployment = await localDeployment(stateDirectory);
  client = await createClient(deployment, {
    organisationId: 'acme',
    name: 'Moves',
    scopes: ['volume:read', 'sync:create'],
  });
  const file = await createFile(deployment, {
    organisationId: 'acme',
    name: 'orders.csv',
    syncEnabled: true,
  });
  fileId = file.file_id;
  oldUrl = run.baseUrl;
  oldToken = await tokenOf(run);
});

afterAll(async () => {
  await run.stop();
  await rm(stateDirectory, { recursive: true, force: true });
});

const tokenOf = ({ baseUrl }: LocalRun) =>
  fetchToken(baseUrl, { clientId: client.client_id, clientSecret: client.client_secret });

/** Starts the same state folder at another port: the old one is taken meanwhile. */
async function moveTo(options: LocalRunOptions): Promise<LocalRun> {
  await run.stop();
  const keeper = createServer().listen(Number(new URL(oldUrl).port), '127.0.0.1');
  await new Promise((resolve) => keeper.once('listening', resolve));
  try {
    run = await startLocalRun({ stateDirectory, ...options });
  } finally {
    await new Promise((resolve) => keeper.close(resolve));
  }
  return run;
}

async function statuses(token: string): Promise<readonly number[]> {
  const headers = { authorization: `Bearer ${token}` };
  const answers = await Promise.all([
    fetch(`${run.baseUrl}/v0/volumes`, { headers }),
    fetch(`${run.baseUrl}/v0/files/${fileId}/sync`, { method: 'POST', headers }),
  ]);
  await Promise.all(answers.map((answer) => answer.arrayBuffer()));
  return answers.map(({ status }) => status);
}

const explain = async (token: string) =>
  admin(await localDeployment(stateDirectory), ['--local', 'token', '--explain'], {}, { stdin: token });

const documentAt = async (path: string): Promise<Readonly<Record<string, unknown>>> =>
  (await (await fetch(`${run.baseUrl}${path}`)).json()) as Readonly<Record<string, unknown>>;

describe('a run that moved to another address', () => {
  test('knows nothing of an address that is not listed', async () => {
    await moveTo({});
    expect(run.baseUrl).not.toBe(oldUrl);
    expect(await statuses(oldToken)).toEqual([401, 401]);
    expect((await explain(oldToken)).stderr).toContain(`Its issuer (iss) is "${oldUrl}". This deployment is`);
  });

  test('accepts tokens of the former address until its time, and issues its own', async () => {
    await moveTo({ context: { formerBaseUrls: `${oldUrl} until ${later}` } });
    expect(await statuses(oldToken)).toEqual([200, 200]);
    const explained = await explain(oldToken);
    expect(explained).toMatchObject({ code: 0, stderr: 'The API accepts this token.\n' });
    expect(explained.stdout).toContain(`${oldUrl}, issued for a former address, accepted until ${later}`);

    const token = await tokenOf(run);
    expect(decodeJwt(token)).toMatchObject({ iss: run.baseUrl, aud: run.baseUrl });
    expect(await statuses(token)).toEqual([200, 200]);
    expect(await documentAt('/.well-known/openid-configuration')).toMatchObject({
      issuer: run.baseUrl,
      token_endpoint: `${run.baseUrl}/oauth/token`,
    });
    expect(await documentAt('/v0/openapi.json')).toMatchObject({ servers: [{ url: run.baseUrl }] });
  });

  test('accepts them in no request after that time, and in every request before', async () => {
    const until = Math.ceil(Date.now() / 1000) * 1000 + 10_000;
    await moveTo({ context: { formerBaseUrls: `${oldUrl} until ${formatTime(until)}` } });
    for (let ended = false; !ended; ) {
      const sentAt = Date.now();
      const answered = await statuses(oldToken);
      const answeredAt = Date.now();
      if (answeredAt < until) {
        expect(answered).toEqual([200, 200]);
      }
      if (sentAt >= until) {
        expect(answered).toEqual([401, 401]);
        ended = true;
      } else {
        await pause(100);
      }
    }
    const { code, stderr } = await explain(oldToken);
    expect(code).toBe(1);
    expect(stderr).toContain(`a former address, which was accepted until ${formatTime(until)}.`);
  });

  test('starts with a former address whose time is over, and refuses its tokens', async () => {
    await moveTo({ context: { formerBaseUrls: `${oldUrl} until ${earlier}` } });
    expect(await statuses(oldToken)).toEqual([401, 401]);
    expect(await statuses(await tokenOf(run))).toEqual([200, 200]);
  });
});

describe('a run with a domain', () => {
  const domain = {
    domainName: 'files.example.com',
    certificateArn: 'arn:aws:acm:eu-central-1:123456789012:certificate/a',
    hostedZoneId: 'Z0123456789ABC',
  };
  /** Sends a request for a name: `fetch` allows no Host header. */
  const askFor = (host: string) =>
    new Promise<{ status: number | undefined; body: Readonly<Record<string, unknown>> }>(
      (resolve, reject) => {
        const url = `${run.baseUrl}/.well-known/openid-configuration`;
        const sent = request(url, { headers: { host } }, (answer) => {
          let text = '';
          answer.setEncoding('utf8');
          answer.on('data', (chunk: string) => {
            text += chunk;
          });
          answer.on('end', () => resolve({ status: answer.statusCode, body: JSON.parse(text) }));
        });
        sent.on('error', reject).end();
      },
    );
  const ownEndpoint = async () =>
    String((await localDeployment(stateDirectory)).outputs.ApiEndpoint).replace('https://', '');

  test('serves it, and loopback names in its place, but not the endpoint of API Gateway', async () => {
    await moveTo({ context: domain });
    const { outputs } = await localDeployment(stateDirectory);
    expect(outputs).toMatchObject({
      BaseUrl: run.baseUrl,
      DomainTarget: expect.stringMatching(/^d-\w+\.execute-api\.us-east-1\.amazonaws\.com$/),
    });
    expect(await statuses(await tokenOf(run))).toEqual([200, 200]);
    expect(await askFor('files.example.com')).toMatchObject({ status: 200, body: { issuer: run.baseUrl } });
    expect(await askFor(await ownEndpoint())).toEqual({ status: 404, body: { message: 'Not Found' } });
    expect(await askFor('other.example.com')).toMatchObject({ status: 421 });
  });

  test('keeps the endpoint of API Gateway as a former address, with its own issuer metadata', async () => {
    const own = await ownEndpoint();
    await moveTo({ context: { ...domain, formerBaseUrls: `https://${own} until ${later}` } });
    expect(await askFor(own)).toMatchObject({
      status: 200,
      body: { issuer: `https://${own}`, token_endpoint: `https://${own}/oauth/token` },
    });
    expect(await askFor('files.example.com')).toMatchObject({ status: 200, body: { issuer: run.baseUrl } });
  });

  test('is refused without a certificate, in the words of the settings', async () => {
    await expect(startLocalRun({ context: { domainName: domain.domainName } })).rejects.toThrow(
      'The setting domainName (files.example.com) needs certificateArn',
    );
  });
});
