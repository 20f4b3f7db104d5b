import { afterAll, beforeAll, expect, test } from 'vitest';
import type { AttackedService } from '../support/attacked-service.ts';
import { startInProcessService } from '../support/in-process-service.ts';
import { fetchTokens } from '../support/true-tokens.ts';

/** Two deployments as alike as can be: the same names of clients and files, other keys and base URLs. */
let own: AttackedService;
let other: AttackedService;

beforeAll(async () => {
  [own, other] = await Promise.all([startInProcessService(), startInProcessService()]);
});

afterAll(() => Promise.all([own.close(), other.close()]));

async function statusOf(service: AttackedService, path: string, init: RequestInit): Promise<number> {
  const answer = await fetch(`${service.baseUrl}${path}`, init);
  await answer.arrayBuffer();
  return answer.status;
}

test('a true token of another deployment opens nothing here', async () => {
  const [mine, theirs] = [await fetchTokens(own), await fetchTokens(other)];
  for (const [path, method] of [
    ['/v0/volumes', 'GET'],
    [`/v0/files/${own.file}/sync`, 'POST'],
  ] as const) {
    const call = (token: string) =>
      statusOf(own, path, { method, headers: { authorization: `Bearer ${token}` } });
    expect(await call(theirs.client)).toBe(401);
    expect(await call(mine.client)).toBe(200);
  }
});

test('a true secret of another deployment gets no token here', async () => {
  const ask = ({ clientId, clientSecret }: AttackedService['client']) =>
    statusOf(own, '/oauth/token', {
      method: 'POST',
      body: new URLSearchParams({
        grant_type: 'client_credentials',
        client_id: clientId,
        client_secret: clientSecret,
      }),
    });
  expect(other.client.clientId).toBe(own.client.clientId);
  expect(await ask(other.client)).toBe(401);
  expect(await ask(own.client)).toBe(200);
});

test('an upload URL of another deployment stores nothing here', async () => {
  const { client: token } = await fetchTokens(other);
  const answer = await fetch(`${other.baseUrl}/v0/files/${other.file}/sync`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}` },
  });
  const { data } = (await answer.json()) as { readonly data: { readonly upload_url: string } };
  const url = new URL(data.upload_url);
  url.port = new URL(own.storageOrigin).port;
  const put = await fetch(url, { method: 'PUT', body: 'attack' });
  expect(put.status).toBeGreaterThanOrEqual(400);
  expect(put.status).toBeLessThan(500);
  expect(await own.storedKeys()).toEqual([]);
});
