import { randomBytes } from 'node:crypto';
import { createLocalJWKSet, jwtVerify, SignJWT } from 'jose';
import { importJWK } from 'jose/key/import';
import { afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { openapiDocument } from '../../lambdas/well-known/openapi/document.ts';
import { digestClientSecret, generateClientSecret } from '../../storage/client-secret.ts';
import { type PrivateJwk, publicJwk } from '../../storage/signing-keys.ts';
import { uuidV7Time } from '../../storage/uuid-v7.ts';
import { bodyOf, httpEvent } from '../support/http-event.ts';
import { baseUrl, newKey } from '../support/signing-keys.ts';
import {
  type FakeServices,
  type ServiceCall,
  sessionCredentials,
  startFakeServices,
} from './support/fake-services.ts';

/** Each file reads its environment and makes its clients when Lambda loads it, so a test loads it when all is ready. */

const signingKeySecret = 'arn:aws:secretsmanager:eu-central-1:000000000000:secret:signing-key';
const keySetSecret = 'arn:aws:secretsmanager:eu-central-1:000000000000:secret:key-set';
const signerRole = 'arn:aws:iam::000000000000:role/signer';
const clientSecret = generateClientSecret(randomBytes);

const text = (S: string) => ({ S });
const items = {
  'clients-table': {
    organisation_id: text('acme'),
    status: text('active'),
    scopes: { L: [text('volume:read'), text('sync:create')] },
    secrets: { L: [{ M: { sha256: text(digestClientSecret(clientSecret).toString('hex')) } }] },
  },
  'files-table': { organisation_id: text('acme'), sync_enabled: { BOOL: true } },
};

let current: PrivateJwk;
let services: FakeServices;
let printed: Record<string, unknown>[];

beforeAll(async () => {
  current = await newKey();
});

beforeEach(async () => {
  const next = await newKey();
  const since = new Date().toISOString();
  const keySet = { keys: [{ jwk: publicJwk(current), state: 'current', since }] };
  services = await startFakeServices({
    secrets: {
      [signingKeySecret]: JSON.stringify({ current, next }),
      [keySetSecret]: JSON.stringify(keySet),
    },
    items,
  });
  const environment = {
    AWS_REGION: 'eu-central-1',
    AWS_ACCESS_KEY_ID: 'AKIAFUNCTION',
    AWS_SECRET_ACCESS_KEY: 'function-secret',
    AWS_SESSION_TOKEN: 'function-token',
    AWS_ENDPOINT_URL: services.endpoint,
    BASE_URL: baseUrl,
    CLIENTS_TABLE_NAME: 'clients-table',
    FILES_TABLE_NAME: 'files-table',
    UPLOADS_TABLE_NAME: 'uploads-table',
    BUCKET_NAME: 'uploads-bucket',
    EVENT_BUS_NAME: 'uploads-bus',
    SIGNING_KEY_SECRET_ARN: signingKeySecret,
    KEY_SET_SECRET_ARN: keySetSecret,
    TOKEN_LIFETIME_SECONDS: '1800',
    UPLOAD_SIGNER_ROLE_ARN: signerRole,
    UPLOAD_RECORD_RETENTION_DAYS: 'forever',
    METRICS_NAMESPACE: 'file-sync-test',
  };
  for (const [name, value] of Object.entries(environment)) {
    vi.stubEnv(name, value);
  }
  printed = [];
  vi.spyOn(process.stdout, 'write').mockImplementation((line) => {
    printed.push(JSON.parse(String(line)));
    return true;
  });
});

afterEach(async () => {
  vi.restoreAllMocks();
  vi.unstubAllEnvs();
  vi.unstubAllGlobals();
  await services.stop();
});

/** A token for the scopes, as the token endpoint would have signed it just now. */
async function accessToken(scope: string): Promise<string> {
  const iat = Math.floor(Date.now() / 1000);
  const identity = { sub: 'client', client_id: 'client', organisation_id: 'acme', jti: 'id' };
  return new SignJWT({ ...identity, iss: baseUrl, aud: baseUrl, scope, iat, exp: iat + 600 })
    .setProtectedHeader({ alg: current.alg, typ: 'at+jwt', kid: current.kid })
    .sign(await importJWK(current, current.alg));
}

/** Whether the function's own credentials, from its environment, signed the call for its region. */
function expectSignedByFunction({ headers }: ServiceCall): void {
  expect(headers.authorization).toMatch(/Credential=AKIAFUNCTION\/\d{8}\/eu-central-1\//);
  expect(headers['x-amz-security-token']).toBe('function-token');
}

/** The calls of AWS so far, each with the table or secret that it names. */
const callsOfAws = () =>
  services.calls.map(({ action, input: { TableName, SecretId, RoleArn } }) =>
    [action, TableName ?? SecretId ?? RoleArn].join(' '),
  );

test('the function token fetches its key while it starts, and reads a client for each token', async () => {
  const { handler } = await import('../../lambdas/token/handler.ts');
  await expect.poll(callsOfAws).toEqual([`GetSecretValue ${signingKeySecret}`]);
  const ask = () =>
    handler(
      httpEvent({
        headers: { 'content-type': 'application/x-www-form-urlencoded' },
        body: `grant_type=client_credentials&client_id=client&client_secret=${clientSecret}`,
      }),
    );
  const { access_token, expires_in } = bodyOf(await ask());
  expect(expires_in).toBe(1800);
  const keys = createLocalJWKSet({ keys: [publicJwk(current)] });
  const { payload } = await jwtVerify(String(access_token), keys, { issuer: baseUrl, audience: baseUrl });
  expect(payload.jti).toMatch(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/);
  await ask();
  expect(callsOfAws().slice(1)).toEqual(['GetItem clients-table', 'GetItem clients-table']);
  services.calls.forEach(expectSignedByFunction);
  const line = { level: 'INFO', message: 'Access token issued', client_id: 'client' };
  expect(printed).toMatchObject([line, line]);
});

test('the function volumes fetches the key set while it starts, and then calls nothing', async () => {
  const { handler } = await import('../../lambdas/volumes/handler.ts');
  await expect.poll(callsOfAws).toEqual([`GetSecretValue ${keySetSecret}`]);
  const ask = async (scope: string) =>
    handler(httpEvent({ headers: { authorization: `Bearer ${await accessToken(scope)}` } }));
  expect(bodyOf(await ask('volume:read'))).toEqual({ data: [] });
  expect((await ask('sync:create')).statusCode).toBe(403);
  expect(services.calls).toHaveLength(1);
  services.calls.forEach(expectSignedByFunction);
});

test('the function sync fetches the key set while it starts, and issues a recorded upload URL in three calls', async () => {
  const { handler } = await import('../../lambdas/sync/handler.ts');
  await expect.poll(callsOfAws).toEqual([`GetSecretValue ${keySetSecret}`]);
  const answer = await handler(
    httpEvent({
      headers: { authorization: `Bearer ${await accessToken('sync:create')}` },
      pathParameters: { fileId: 'orders' },
    }),
  );
  const url = new URL((bodyOf(answer) as { data: { upload_url: string } }).data.upload_url);
  expect(url.searchParams.get('X-Amz-Expires')).toBe('3600');
  expect(url.searchParams.get('X-Amz-Credential')).toContain(sessionCredentials.accessKeyId);
  expect(callsOfAws().slice(1)).toEqual([
    'GetItem files-table',
    `AssumeRole ${signerRole}`,
    'PutItem uploads-table',
  ]);
  services.calls.forEach(expectSignedByFunction);
  const uploadId = url.pathname.replace('/uploads-bucket/uploads/', '');
  expect(services.calls[3]?.input).toMatchObject({ Item: { upload_id: text(uploadId) } });
  // Ids sort in the order of issue.
  expect(Math.abs(uuidV7Time(uploadId) - Date.now())).toBeLessThan(60_000);
});

test('the function well-known fetches the key set only for the document that needs it', async () => {
  // The bundler puts it there.
  vi.stubGlobal('apiDescription', openapiDocument());
  const { handler } = await import('../../lambdas/well-known/handler.ts');
  const get = (routeKey: string) => handler(httpEvent({ routeKey }));
  expect(bodyOf(await get('GET /.well-known/openid-configuration')).issuer).toBe(baseUrl);
  expect(services.calls).toEqual([]);
  expect(bodyOf(await get('GET /.well-known/jwks.json'))).toEqual({ keys: [publicJwk(current)] });
  expect(callsOfAws()).toEqual([`GetSecretValue ${keySetSecret}`]);
  services.calls.forEach(expectSignedByFunction);
  expect((await get('GET /nowhere')).statusCode).toBe(500);
});
