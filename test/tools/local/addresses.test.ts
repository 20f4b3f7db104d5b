import { setAddresses } from '../../../tools/operator/clients/client.ts';
import { bearer, challengeOf, exchange, type Question } from '../../contract/support/http.ts';
import { createApiUser } from '../../support/api-user.ts';
import { adminOf } from '../../support/run-admin.ts';
import { useRunningStack } from '../../support/use-running-stack.ts';

/** A thief at 127.0.0.2 has the secret, a token and an upload URL of a client at 127.0.0.1. */

const stack = await useRunningStack();
const { deployment, baseUrl } = stack;
const user = await createApiUser(stack);
const { client_id, client_secret } = user.client;
await setAddresses(deployment, client_id, ['127.0.0.1/32']);
const fileId = await user.newFile();

const steal = (method: string, url: string, more: Pick<Question, 'headers' | 'body'> = {}) => {
  const { origin, pathname, search } = new URL(url);
  return exchange(origin, { method, path: `${pathname}${search}`, localAddress: '127.0.0.2', ...more });
};
const stealSecret = () =>
  steal('POST', `${baseUrl}/oauth/token`, {
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: `grant_type=client_credentials&client_id=${client_id}&client_secret=${client_secret}`,
  });

// macOS has only one address on the loopback interface.
describe.runIf(process.platform !== 'darwin')('at another address', () => {
  test('[2.5] a secret gets the response for a wrong secret, and the operator the reason', async () => {
    const { client_secret: wrong } = (await createApiUser(stack)).client;
    const { status, text, headers } = await stealSecret();
    expect([status, text]).toEqual([401, await (await user.requestToken({ client_secret: wrong })).text()]);
    const run = adminOf(deployment);
    const shown = await run('request', 'show', String(headers['apigw-requestid']));
    expect(shown.stdout).toMatch(/^From +127\.0\.0\.2$.*^Rejection +address_not_allowed$/ms);
    expect(shown.stdout).toMatch(
      /^Why +The address may not use this client\. The secret or token was right\./m,
    );
    const counted = { client_id, outcome: 'address_not_allowed', count: 1 };
    expect((await run('request count --json')).json().data).toContainEqual(expect.objectContaining(counted));
  });

  test('[2.5] a token that was accepted before is 401', async () => {
    const token = await user.newToken();
    const headers = bearer(token);
    expect([(await user.volumes(token)).status, (await user.sync(fileId, token)).status]).toEqual([200, 200]);
    const stolen = await steal('GET', `${baseUrl}/v0/volumes`, { headers });
    expect([stolen.status, stolen.text]).toEqual([401, '{"message":"Unauthorized"}']);
    expect(challengeOf(stolen)).toBe('Bearer error="invalid_token"');
    expect((await steal('POST', `${baseUrl}/v0/files/${fileId}/sync`, { headers })).status).toBe(401);
  });

  test('[2.5] an upload URL is 403, and still works for the client', async () => {
    const { url, put } = await user.issue(fileId, await user.newToken());
    const { status, text } = await steal('PUT', url, { body: 'theft' });
    expect([status, text]).toEqual([403, expect.stringContaining('<Code>AccessDenied</Code>')]);
    expect((await put('content')).status).toBe(200);
  });

  test('new ranges apply to new tokens, and not to older tokens and their URLs', async () => {
    const token = await user.newToken();
    const { put } = await user.issue(fileId, token);
    await setAddresses(deployment, client_id, ['127.0.0.2/32']);
    expect([(await user.requestToken()).status, (await stealSecret()).status]).toEqual([401, 200]);
    expect([(await user.volumes(token)).status, (await put('content')).status]).toEqual([200, 200]);
  });
});
