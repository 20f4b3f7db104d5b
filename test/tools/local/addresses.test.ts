import { describe, expect, test } from 'vitest';
import { setAddresses } from '../../../tools/operator/clients/client.ts';
import { exchange, type Question } from '../../contract/support/http.ts';
import { createApiUser } from '../../support/api-user.ts';
import { adminOf } from '../../support/run-admin.ts';
import { useRunningStack } from '../../support/use-running-stack.ts';

/** A thief at another address has the secret, the token and the upload URL of a client. */

const [own, other] = ['127.0.0.1', '127.0.0.2'];

const stack = await useRunningStack();
const { deployment, baseUrl } = stack;
const user = await createApiUser(stack);
const { client_id, client_secret } = user.client;
await setAddresses(deployment, client_id, [`${own}/32`]);
const fileId = await user.newFile();
const run = adminOf(deployment);

const send = (
  address: string,
  method: string,
  url: string,
  more: Pick<Question, 'headers' | 'body'> = {},
) => {
  const { origin, pathname, search } = new URL(url);
  return exchange(origin, { method, path: `${pathname}${search}`, localAddress: address, ...more });
};
const requestToken = (address: string, secret = client_secret) =>
  send(address, 'POST', `${baseUrl}/oauth/token`, {
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: `grant_type=client_credentials&client_id=${client_id}&client_secret=${secret}`,
  });
const withToken = (token: string) => ({ headers: { authorization: `Bearer ${token}` } });
const volumes = (address: string, token: string) =>
  send(address, 'GET', `${baseUrl}/v0/volumes`, withToken(token));
const sync = (address: string, token: string) =>
  send(address, 'POST', `${baseUrl}/v0/files/${fileId}/sync`, withToken(token));
const newToken = async () =>
  (JSON.parse((await requestToken(own)).text) as { readonly access_token: string }).access_token;
const newUrl = async () =>
  (JSON.parse((await sync(own, await newToken())).text) as { readonly data: { readonly upload_url: string } })
    .data.upload_url;

// macOS has no second address on the loopback interface.
describe.runIf(process.platform !== 'darwin')('at another address', () => {
  test('[2.5] a secret gets the response for a wrong secret, and the operator the reason', async () => {
    const rejected = await requestToken(other);
    const wrong = await requestToken(own, (await createApiUser(stack)).client.client_secret);
    expect([rejected.status, rejected.text]).toEqual([401, wrong.text]);
    const shown = await run('request', 'show', String(rejected.headers['apigw-requestid']));
    expect(shown.stdout).toMatch(/^Rejection +address_not_allowed$/m);
    expect(shown.stdout).toMatch(/^From +127\.0\.0\.2$/m);
    expect(shown.stdout).toMatch(
      /^Why +The address may not use this client\. The secret or token was right\./m,
    );
    const { data } = (await run('request count --json')).json();
    expect(data).toContainEqual(
      expect.objectContaining({ client_id, outcome: 'address_not_allowed', count: 1 }),
    );
  });

  test('[2.5] a token that was accepted before is 401', async () => {
    const token = await newToken();
    expect((await volumes(own, token)).status).toBe(200);
    const [ofVolumes, ofSync] = [await volumes(other, token), await sync(other, token)];
    expect([ofVolumes.status, ofSync.status]).toEqual([401, 401]);
    expect((await sync(own, token)).status).toBe(200);
  });

  test('[2.5] an upload URL is 403, and still works for the client', async () => {
    const url = await newUrl();
    const denied = await send(other, 'PUT', url, { body: 'theft' });
    expect([denied.status, denied.text]).toEqual([403, expect.stringContaining('<Code>AccessDenied</Code>')]);
    expect((await send(own, 'PUT', url, { body: 'content' })).status).toBe(200);
  });

  test('new ranges apply to new tokens, and not to older tokens and their URLs', async () => {
    const [token, url] = [await newToken(), await newUrl()];
    await setAddresses(deployment, client_id, [`${other}/32`]);
    expect((await requestToken(own)).status).toBe(401);
    expect((await requestToken(other)).status).toBe(200);
    expect((await volumes(own, token)).status).toBe(200);
    expect((await send(own, 'PUT', url, { body: 'content' })).status).toBe(200);
  });
});
