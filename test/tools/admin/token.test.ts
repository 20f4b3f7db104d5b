import { createHash } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { generateKey } from '../../../lambdas/signing-keys/generate-key.ts';
import { publicJwk } from '../../../storage/signing-keys.ts';
import { createClient } from '../../../tools/operator/clients/client.ts';
import { explainToken } from '../../../tools/operator/requests/explain-token.ts';
import { createApiUser } from '../../support/api-user.ts';
import { startAws } from '../../support/aws.ts';
import { type Changes, signToken, unsignedToken } from '../../support/forged-token.ts';
import { admin as runAdmin } from '../../support/run-admin.ts';
import { useRunningStack } from '../../support/use-running-stack.ts';

const stack = await useRunningStack();
const baseUrl = stack.deployment.outputs.BaseUrl;

const { client, token: itsToken } = await createApiUser(stack);
const token = (stdin: string, ...parameters: readonly string[]) =>
  runAdmin(stack.deployment, ['--local', 'token', ...parameters], {}, { stdin });

describe('token', () => {
  test.for([
    ['a token', (text: string) => text],
    ['a header', (text: string) => `Authorization: Bearer ${text}\r\n`],
    ['a response', (text: string) => JSON.stringify({ access_token: text, token_type: 'Bearer' })],
  ] as const)('takes %s', async ([, wrap]) => {
    const explained = await token(wrap(itsToken), '--json');
    expect(explained).toMatchObject({ code: 0 });
    expect(explained.json()).toMatchObject({
      accepted: true,
      client: { client_id: client.client_id },
    });
  });

  test('a token that the API rejects is explained, with exit code 1', async () => {
    expect(await token(unsignedToken(baseUrl))).toMatchObject({
      code: 1,
      stdout: expect.stringMatching(/^Client ID/),
      stderr: expect.stringContaining('The API responds with 401 to this token'),
    });
  });

  test('a token on the command line is rejected, and not repeated', async () => {
    const rejected = await runAdmin(undefined, ['--local', 'token', itsToken]);
    expect(rejected).toMatchObject({ code: 2, opened: [], stdout: '' });
    expect(rejected.stderr).not.toContain(itsToken);
  });

  test('an empty standard input is an error that names the command', async () => {
    const rejected = await token('');
    expect(rejected).toMatchObject({ code: 2, stdout: '' });
    expect(rejected.stderr).toMatch(/^error: No access token was read: standard input is empty\./);
    expect(rejected.stderr).toContain('admin --local token < FILE');
  });

  test.for([
    ['nonsense', 'nonsense'],
    ['three parts of nothing', '..'],
    ['three parts of text', 'a.b.c'],
    ['a client secret', client.client_secret],
  ] as const)('%s is rejected as no token, and not repeated', async ([, text]) => {
    const explained = await token(text);
    expect(explained).toMatchObject({ code: 1, stdout: '' });
    expect(explained.stderr).toBe(
      'error: This is not an access token: a token has three parts in base64url, joined by dots. Check that it was copied whole.\n',
    );
    expect(explained.stderr).not.toContain('fss_');
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

  test('is a sentence', async () => {
    const { accepted, problem } = await explain(await signed({ claims: { iss: 'https://other' } }));
    expect(accepted).toBe(false);
    expect(problem).toContain('The iss of the token is wrong: this deployment issues tokens with');
  });

  test('is absent for a missing scope', async () => {
    const { accepted, problem } = await explain(await signed({ claims: { scope: 'volume:read' } }));
    expect([accepted, problem]).toEqual([true, undefined]);
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
