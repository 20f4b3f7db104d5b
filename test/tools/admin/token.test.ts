import { createHash, randomBytes } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { generateKey } from '../../../lambdas/signing-keys/generate-key.ts';
import { generateClientSecret } from '../../../storage/client-secret.ts';
import { publicJwk } from '../../../storage/signing-keys.ts';
import {
  addSecret,
  createClient,
  removeSecret,
  revokeClient,
  rotateSecret,
} from '../../../tools/operator/clients/client.ts';
import { explainToken } from '../../../tools/operator/requests/explain-token.ts';
import { createApiUser } from '../../support/api-user.ts';
import { startAws } from '../../support/aws.ts';
import { type Changes, signToken, unsignedToken } from '../../support/forged-token.ts';
import { failure, admin as runAdmin } from '../../support/run-admin.ts';
import { useRunningStack } from '../../support/use-running-stack.ts';

const stack = await useRunningStack();
const baseUrl = stack.deployment.outputs.BaseUrl;

const { client, token: itsToken } = await createApiUser(stack);
const token = (stdin: string, ...parameters: readonly string[]) =>
  runAdmin(stack.deployment, ['--local', 'token', ...parameters], {}, { stdin });

describe('token CLIENT_ID', () => {
  test('gets a token for the secret on standard input, and does not show it', async () => {
    const got = await token(`${client.client_secret}\n`, client.client_id);
    expect(got).toMatchObject({ code: 0, stderr: 'The API accepts this token.\n' });
    expect(got.stdout).toMatch(new RegExp(`^Client ID +${client.client_id} \\(Test, active\\)$`, 'm'));
    expect(got.stdout).toMatch(/^Expires +\d{4}-\S+Z$/m);
    expect(got.stdout).toMatch(/^Signed by +\S+, published as current, signs now$/m);
    expect(got.stdout).toMatch(/^POST \/v0\/files\/\{fileId\}\/sync +allowed$/m);
    expect(got.stdout + got.stderr).not.toMatch(/ey[\w-]+\.[\w-]+\.|fss_/);
  });

  const rejection = async (id: string, secret: string) => {
    const { code, stdout, stderr } = await token(secret, id);
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(stderr).not.toContain('fss_');
    return stderr;
  };

  test('prints the reason of the rejection by the token endpoint', async () => {
    const { client_id: id, client_secret: secret, secret_id } = (await createApiUser(stack)).client;
    expect(await rejection('client_unknown', secret)).toContain(
      'error: The token endpoint responded with 401 "invalid_client". There is no client "client_unknown".',
    );
    expect(await rejection(id, secret.slice(0, -1))).toContain('The client secret is mistyped, cut or ');
    expect(await rejection(id, generateClientSecret(randomBytes))).toContain(
      `The secret does not belong to this client. The client has ${secret_id}.`,
    );
    const second = await addSecret(stack.deployment, id);
    await removeSecret(stack.deployment, id, second.secret_id);
    expect(await rejection(id, second.client_secret)).toContain('does not belong to this client');
    const { client_secret: fresh, secret_id: freshId } = await rotateSecret(stack.deployment, id, 0.001);
    expect(await rejection(id, generateClientSecret(randomBytes))).toContain(`The client has ${freshId}.`);
    expect(await rejection(id, secret)).toMatch(new RegExp(`The secret is ${secret_id}, which ended at 2`));
    await revokeClient(stack.deployment, id);
    expect(await rejection(id, fresh)).toMatch(
      /was revoked at 2\S+Z\.\n {2}admin --local client reinstate client_/,
    );
  });
});

test.for([
  ['a carriage return', '', '\r'],
  ['a byte order mark', '\ufeff', '\n'],
] as const)('a secret with %s is mistyped, as the application sends it', async ([, before, behind]) => {
  const { code, stderr } = await token(`${before}${client.client_secret}${behind}`, client.client_id);
  expect(code).toBe(1);
  expect(stderr).toContain(
    'its checksum is wrong. A file may have added a byte order mark or a carriage return.',
  );
});

describe('token --explain', () => {
  test.for([
    ['a token', (text: string) => text],
    ['a header', (text: string) => `Authorization: Bearer ${text}\r\n`],
    ['a response', (text: string) => JSON.stringify({ access_token: text, token_type: 'Bearer' })],
  ] as const)('takes %s', async ([, wrap]) => {
    const explained = await token(wrap(itsToken), '--explain', '--json');
    expect(explained).toMatchObject({ code: 0 });
    expect(explained.json()).toMatchObject({
      accepted: true,
      client: { client_id: client.client_id },
      endpoints: [
        { method: 'GET', path: '/v0/volumes', scope: 'volume:read', allowed: true },
        { method: 'POST', path: '/v0/files/{fileId}/sync', scope: 'sync:create', allowed: true },
      ],
    });
  });

  test('a token that the API rejects is explained, with exit code 1', async () => {
    expect(await token(unsignedToken(baseUrl), '--explain')).toMatchObject({
      code: 1,
      stdout: expect.stringMatching(/^Client ID/),
      stderr: expect.stringContaining('The API responds with 401 to this token'),
    });
  });

  test('a token on the command line is rejected, and not repeated', async () => {
    const rejected = await runAdmin(undefined, ['--local', 'token', '--explain', itsToken]);
    expect(rejected).toMatchObject({ code: 2, opened: [], stdout: '' });
    expect(rejected.stderr).toContain('run this and paste the token:\n  admin --local token --explain\n');
    expect(rejected.stderr).not.toContain(itsToken);
  });

  test.for([
    ['secret', ['ID'], 'admin --local token ID < FILE'],
    ['access token', ['--explain'], 'admin --local token --explain < FILE'],
  ] as const)('an empty standard input is an error that explains the %s', async ([, given, line]) => {
    const rejected = await token('', ...given);
    expect(rejected).toMatchObject({ code: 2, stdout: '' });
    expect(rejected.stderr).toMatch(
      /^error: No (client secret|access token) was read: standard input is empty\./,
    );
    expect(rejected.stderr).toContain(line);
  });

  test.for([
    ['nonsense', 'nonsense'],
    ['three parts of nothing', '..'],
    ['three parts of text', 'a.b.c'],
    ['a client secret', client.client_secret],
  ] as const)('%s is rejected as no token, and not repeated', async ([, text]) => {
    const explained = await token(text, '--explain');
    expect(explained).toMatchObject({ code: 1, stdout: '' });
    expect(explained.stderr).toBe(
      'error: This is not an access token: a token has three parts in base64url, joined by dots. Check that it was copied whole.\n',
    );
    expect(explained.stderr).not.toContain('fss_');
  });

  test('no token and no client is rejected', async () => {
    const nothing = await token('', '--local');
    expect(nothing).toMatchObject(failure('or --explain', 2));
  });
});

const now = Date.parse('2026-02-01T12:00:00Z');
const seconds = now / 1000;

const aws = await startAws();
const key = await generateKey('ES256');
const entry = { jwk: publicJwk(key), state: 'current', since: '2026-01-01T00:00:00.000Z' };
await aws.publishKeys(JSON.stringify({ keys: [entry] }));

describe('the reason why the API rejects a token', () => {
  const valid = { iat: seconds - 60, exp: seconds + 600 };
  const signed = (changes: Changes = {}) =>
    signToken({ jwk: key, kid: key.kid, alg: key.alg }, aws.deployment.outputs.BaseUrl, {
      ...changes,
      claims: { ...valid, ...changes.claims },
    });
  const explain = (text: string) => explainToken({ ...aws.deployment, now: () => now }, text);

  test('is a sentence, and no endpoint is allowed', async () => {
    const { accepted, problem, endpoints } = await explain(
      await signed({ claims: { iss: 'https://other' } }),
    );
    expect({ accepted, endpoints }).toEqual({ accepted: false, endpoints: [] });
    expect(problem).toContain('The iss of the token is wrong: this deployment issues tokens with');
  });

  test('is absent for a missing scope, whose endpoint is not allowed', async () => {
    const { accepted, endpoints } = await explain(await signed({ claims: { scope: 'volume:read' } }));
    expect([accepted, ...endpoints.map(({ allowed }) => allowed)]).toEqual([true, true, false]);
  });

  test('names the client, if it exists, and never its digests', async () => {
    expect((await explain(await signed())).client).toBeUndefined();
    const made = await createClient(aws.deployment, {
      organisationId: 'acme',
      name: 'Export',
      scopes: ['volume:read'],
    });
    const explained = await explain(await signed({ claims: { client_id: made.client_id } }));
    expect(explained.client).toMatchObject({
      client_id: made.client_id,
      name: 'Export',
      status: 'active',
      scopes: ['volume:read'],
    });
    const digest = createHash('sha256').update(made.client_secret).digest('hex');
    expect(JSON.stringify(explained)).not.toContain(digest);
  });
});
