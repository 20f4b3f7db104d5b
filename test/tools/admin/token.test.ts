import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import { setAddresses } from '../../../tools/operator/clients/client.ts';
import { explainToken } from '../../../tools/operator/requests/explain-token.ts';
import { createApiUser } from '../../support/api-user.ts';
import { unsignedToken } from '../../support/forged-token.ts';
import { failure, admin as runAdmin } from '../../support/run-admin.ts';
import { useRunningStack } from '../../support/use-running-stack.ts';

const stack = await useRunningStack();
const { deployment, baseUrl } = stack;
const { client, token: itsToken, requestToken } = await createApiUser(stack);

const token = (stdin: string, ...parameters: readonly string[]) =>
  runAdmin(deployment, ['--local', 'token', ...parameters], {}, { stdin });

test.for([
  ['a token', (text: string) => text],
  ['a header', (text: string) => `Authorization: Bearer ${text}\r\n`],
  ['a response', (text: string) => JSON.stringify({ access_token: text, token_type: 'Bearer' })],
] as const)('takes %s', async ([, wrap]) => {
  const explained = await token(wrap(itsToken), '--json');
  expect(explained).toMatchObject({ code: 0 });
  expect(explained.json()).toMatchObject({ accepted: true, client: { client_id: client.client_id } });
  expect(explained.stdout).not.toContain(createHash('sha256').update(client.client_secret).digest('hex'));
});

test('explains an accepted token, and does not show it', async () => {
  const explained = await token(itsToken);
  expect(explained).toMatchObject({ code: 0, stderr: 'The API accepts this token.\n' });
  expect(explained.stdout).toMatch(new RegExp(`^Client ID +${client.client_id} \\(Test, active\\)$`, 'm'));
  expect(explained.stdout).toMatch(/^Expires +\d{4}-\S+Z$/m);
  expect(explained.stdout).toMatch(/^Signed by +\S+, published as current, signs now$/m);
  expect(explained.stdout).not.toContain(itsToken);
});

test('explains that a token is for some addresses only', async () => {
  await setAddresses(deployment, client.client_id, ['127.0.0.1/32']);
  const explained = await token(await (await requestToken()).text());
  expect(explained.stdout).toMatch(/^Allowed from +\["127\.0\.0\.1\/32"\]$/m);
  expect(explained.stderr).toBe('The API accepts this token, but only from the addresses above.\n');
});

test('explains a rejected token in a sentence', async () => {
  const outputs = { ...deployment.outputs, BaseUrl: 'https://other' };
  expect(await explainToken({ ...deployment, outputs }, itsToken)).toMatchObject({
    accepted: false,
    problem: expect.stringContaining('The iss of the token is wrong: this deployment issues tokens with'),
  });
});

test('a token that the API rejects is explained, with exit code 1', async () => {
  expect(await token(unsignedToken(baseUrl))).toMatchObject({
    code: 1,
    stdout: expect.stringMatching(/^Client ID .*\(not a client of this deployment\)$/m),
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
  expect(rejected).toMatchObject(failure('error: No access token was read: standard input is empty.', 2));
  expect(rejected.stderr).toContain('  admin --local token < FILE\n');
});

test.for([
  ['nonsense', 'nonsense'],
  ['three parts of nothing', '..'],
  ['a client secret', client.client_secret],
] as const)('%s is rejected as no token, and not repeated', async ([, text]) => {
  expect(await token(text)).toMatchObject({
    code: 1,
    stdout: '',
    stderr:
      'error: This is not an access token: a token has three parts in base64url, joined by dots. Check that it was copied whole.\n',
  });
});
