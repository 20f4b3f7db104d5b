import { createHash, randomBytes } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { generateClientSecret } from '../../../storage/client-secret.ts';
import { revokeClient, rotateSecret } from '../../../tools/operator/clients/client.ts';
import { explainToken } from '../../../tools/operator/requests/explain-token.ts';
import { createApiUser } from '../../support/api-user.ts';
import { unsignedToken } from '../../support/forged-token.ts';
import { failure, rejection, admin as runAdmin } from '../../support/run-admin.ts';
import { useRunningStack } from '../../support/use-running-stack.ts';

const stack = await useRunningStack();
const { deployment, baseUrl } = stack;

const { client, token: itsToken, requestToken } = await createApiUser(stack);
const { client: rotated } = await createApiUser(stack);
const fresh = await rotateSecret(deployment, rotated.client_id, 0.001);
const { client: revoked } = await createApiUser(stack);
await revokeClient(deployment, revoked.client_id);

const token = (stdin: string, ...parameters: readonly string[]) =>
  runAdmin(deployment, ['--local', 'token', ...parameters], {}, { stdin });

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

  const other = generateClientSecret(randomBytes);
  const mistyped = 'its checksum is wrong. A file may have added a byte order mark or a carriage return.';

  test.for<[string, id: string, stdin: string, reason: string | RegExp]>([
    [
      'an unknown client',
      'client_unknown',
      other,
      'error: The token endpoint responded with 401 "invalid_client". There is no client "client_unknown".',
    ],
    [
      'another secret',
      rotated.client_id,
      other,
      `The secret does not belong to this client. The client has ${fresh.secret_id}.`,
    ],
    [
      'a secret that ended',
      rotated.client_id,
      rotated.client_secret,
      `The secret is ${rotated.secret_id}, which ended at 2`,
    ],
    [
      'a revoked client',
      revoked.client_id,
      revoked.client_secret,
      /was revoked at 2\S+Z\.\n {2}admin --local client reinstate client_/,
    ],
    // The application sends such a secret, too.
    ['a carriage return', client.client_id, `${client.client_secret}\r`, mistyped],
    ['a byte order mark', client.client_id, `\ufeff${client.client_secret}\n`, mistyped],
  ])('explains the 401 to %s', async ([, id, stdin, reason]) => {
    const { code, stdout, stderr } = await token(stdin, id);
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(stderr).toMatch(reason);
    expect(stderr).not.toContain('fss_');
  });
});

describe('token --explain', () => {
  test.for([
    ['a token', (text: string) => text],
    ['a header', (text: string) => `Authorization: Bearer ${text}\r\n`],
    ['a response', (text: string) => JSON.stringify({ access_token: text, token_type: 'Bearer' })],
  ] as const)('takes %s', async ([, wrap]) => {
    const explained = await token(wrap(itsToken), '--explain', '--json');
    expect(explained).toMatchObject({ code: 0 });
    expect(explained.json()).toMatchObject({ accepted: true, client: { client_id: client.client_id } });
    expect(explained.stdout).not.toContain(createHash('sha256').update(client.client_secret).digest('hex'));
  });

  test('names the scope that a token lacks for an endpoint', async () => {
    const { code, stdout } = await token(
      await (await requestToken({ scope: 'volume:read' })).text(),
      '--explain',
    );
    expect(code).toBe(0);
    expect(stdout).toMatch(
      /^GET \/v0\/volumes +allowed\nPOST \/v0\/files\/\{fileId\}\/sync +403: needs the scope sync:create$/m,
    );
  });

  test('explains a rejected token in a sentence, without endpoints', async () => {
    const outputs = { ...deployment.outputs, BaseUrl: 'https://other' };
    expect(await explainToken({ ...deployment, outputs }, itsToken)).toMatchObject({
      accepted: false,
      problem: expect.stringContaining('The iss of the token is wrong: this deployment issues tokens with'),
      endpoints: [],
    });
  });

  test('a token that the API rejects is explained, with exit code 1', async () => {
    expect(await token(unsignedToken(baseUrl), '--explain')).toMatchObject({
      code: 1,
      stdout: expect.stringMatching(/^Client ID .*\(not a client of this deployment\)$/m),
      stderr: expect.stringContaining('The API responds with 401 to this token'),
    });
  });

  test('a token on the command line is rejected, and not repeated', async () => {
    const rejected = await runAdmin(undefined, ['--local', 'token', '--explain', itsToken]);
    expect(rejected).toMatchObject(
      rejection('run this and paste the token:\n  admin --local token --explain\n'),
    );
    expect(rejected.stderr).not.toContain(itsToken);
  });

  test.for([
    ['client secret', 'ID'],
    ['access token', '--explain'],
  ] as const)('an empty standard input is an error that explains the %s', async ([what, given]) => {
    const rejected = await token('', given);
    expect(rejected).toMatchObject(failure(`error: No ${what} was read: standard input is empty.`, 2));
    expect(rejected.stderr).toContain(`  admin --local token ${given} < FILE\n`);
  });

  test.for([
    ['nonsense', 'nonsense'],
    ['three parts of nothing', '..'],
    ['a client secret', client.client_secret],
  ] as const)('%s is rejected as no token, and not repeated', async ([, text]) => {
    const explained = await token(text, '--explain');
    expect(explained).toMatchObject({
      code: 1,
      stdout: '',
      stderr:
        'error: This is not an access token: a token has three parts in base64url, joined by dots. Check that it was copied whole.\n',
    });
  });

  test('no token and no client is rejected', async () => {
    expect(await token('')).toMatchObject(failure('or --explain', 2));
  });
});
