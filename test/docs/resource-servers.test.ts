import { mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { createClient } from '../../tools/operator/clients.ts';
import { localDeployment } from '../../tools/operator/deployment/local-deployment.ts';
import { type LocalRun, startLocalRun } from '../support/local-run.ts';
import { recordProduced } from '../support/produced-secrets.ts';

/** The page for resource servers says what is true, and its Node.js sample works as it stands there. */

const pagePath = new URL('../../docs/resource-servers.md', import.meta.url);

type Verify = (token: string) => Promise<Record<string, unknown>>;

let page: string;
let folder: string;
let run: LocalRun;
let token: string;
let verify: Verify;

beforeAll(async () => {
  [page, folder, run] = await Promise.all([
    readFile(pagePath, 'utf8'),
    mkdtemp(join(tmpdir(), 'file-sync-sample-test-')),
    startLocalRun(),
  ]);
  token = await issueToken();
  verify = await importSample(run.baseUrl);
});

afterAll(async () => {
  vi.unstubAllEnvs();
  await run?.stop();
  await rm(folder, { recursive: true, force: true });
});

async function issueToken(): Promise<string> {
  const deployment = await localDeployment(run.stateDirectory);
  const client = await createClient(deployment, {
    organisationId: 'acme',
    name: 'Reader',
    scopes: ['volume:read'],
  });
  recordProduced('client secret', client.client_secret);
  const basic = Buffer.from(`${client.client_id}:${client.client_secret}`).toString('base64');
  const answer = await fetch(`${run.baseUrl}/oauth/token`, {
    method: 'POST',
    headers: { authorization: `Basic ${basic}` },
    body: new URLSearchParams({ grant_type: 'client_credentials' }),
  });
  const { access_token } = (await answer.json()) as { access_token: string };
  recordProduced('access token', access_token);
  return access_token;
}

/** The sample of the page as a file, beside a node_modules as `npm install` makes it. */
async function importSample(baseUrl: string): Promise<Verify> {
  const code = /<!-- sample: verify-access-token\.mjs -->\n```js\n(.*?)```/s.exec(page)?.[1] ?? '';
  const path = join(folder, `verify-${encodeURIComponent(baseUrl)}.mjs`.replaceAll('%', '_'));
  await writeFile(path, code);
  const modules = fileURLToPath(new URL('../../node_modules', import.meta.url));
  await symlink(modules, join(folder, 'node_modules')).catch(() => undefined);
  vi.stubEnv('FILE_SYNC_BASE_URL', baseUrl);
  const sample = (await import(pathToFileURL(path).href)) as { verifyAccessToken: Verify };
  return sample.verifyAccessToken;
}

const decode = (part: number) =>
  JSON.parse(Buffer.from(token.split('.')[part] ?? '', 'base64url').toString('utf8')) as Record<
    string,
    unknown
  >;

describe('the Node.js sample', () => {
  test('accepts a token of the service', async () => {
    expect(await verify(token)).toMatchObject({ organisation_id: 'acme', scope: 'volume:read' });
  });

  test('refuses another signature, another type and no signature', async () => {
    const [header, claims, signature = ''] = token.split('.');
    const flipped = (signature.startsWith('A') ? 'B' : 'A') + signature.slice(1);
    const encode = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
    await expect(verify(`${header}.${claims}.${flipped}`)).rejects.toMatchObject({
      code: 'ERR_JWS_SIGNATURE_VERIFICATION_FAILED',
    });
    await expect(verify(`${encode({ alg: 'none', typ: 'at+jwt' })}.${claims}.`)).rejects.toMatchObject({
      code: 'ERR_JOSE_ALG_NOT_ALLOWED',
    });
    const stranger = encode({ ...decode(0), typ: 'JWT' });
    await expect(verify(`${stranger}.${claims}.${signature}`)).rejects.toThrow();
  });

  test('refuses a token of another deployment', async () => {
    const asOther = await importSample(run.baseUrl.replace('127.0.0.1', 'localhost'));
    await expect(asOther(token)).rejects.toMatchObject({ code: 'ERR_JWT_CLAIM_VALIDATION_FAILED' });
  });
});
