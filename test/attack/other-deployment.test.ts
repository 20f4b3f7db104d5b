import { afterAll, beforeAll, expect, test } from 'vitest';
import { type AttackedService, startAttackedService } from '../support/attacked-service.ts';

/** Two deployments of the same template, with other keys and base URLs. */
let own: AttackedService;
let other: AttackedService;

beforeAll(async () => {
  [own, other] = await Promise.all([startAttackedService(), startAttackedService()]);
});

afterAll(() => Promise.all([own?.close(), other?.close()]));

async function statusOf(service: AttackedService, path: string, init: RequestInit): Promise<number> {
  const answer = await fetch(`${service.baseUrl}${path}`, init);
  await answer.arrayBuffer();
  return answer.status;
}

test('a true token of another deployment opens nothing here', async () => {
  for (const [path, method] of [
    ['/v0/volumes', 'GET'],
    [`/v0/files/${own.file}/sync`, 'POST'],
  ] as const) {
    const call = (token: string) =>
      statusOf(own, path, { method, headers: { authorization: `Bearer ${token}` } });
    expect(await call(other.client.token)).toBe(401);
    expect(await call(own.client.token)).toBe(200);
  }
});

test('an upload URL of another deployment stores nothing here', async () => {
  const answer = await fetch(`${other.baseUrl}/v0/files/${other.file}/sync`, {
    method: 'POST',
    headers: { authorization: `Bearer ${other.client.token}` },
  });
  const { data } = (await answer.json()) as { readonly data: { readonly upload_url: string } };
  const url = new URL(data.upload_url);
  url.port = new URL(own.storageOrigin).port;
  const put = await fetch(url, { method: 'PUT', body: 'attack' });
  expect(put.status).toBeGreaterThanOrEqual(400);
  expect(put.status).toBeLessThan(500);
  expect(await own.storedKeys()).toEqual([]);
});
