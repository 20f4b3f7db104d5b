import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { checkApi } from '../../../cli/operations/doctor/api.ts';

let server: Server;
let baseUrl: string;

beforeAll(async () => {
  server = createServer((_, response) => {
    response.setHeader('content-type', 'application/json');
    response.end(JSON.stringify({ issuer: baseUrl }));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});

afterAll(() => new Promise((resolve) => server.close(resolve)));

const check = (former: string | undefined) =>
  checkApi({ BaseUrl: baseUrl, FormerBaseUrls: former }, () => Date.parse('2026-06-01T00:00:00Z'));

test('the API passes while its former base URLs are accepted', async () => {
  expect(await check('https://old.example.com until 2026-06-01T00:00:01Z')).toMatchObject({ state: 'ok' });
  expect(await check(undefined)).toMatchObject({ state: 'ok' });
});

test('a former base URL whose time is over is to be removed', async () => {
  expect(
    await check(
      'https://old.example.com until 2027-01-01T00:00:00Z,https://older.example.com until 2026-06-01T00:00:00Z',
    ),
  ).toEqual({
    state: 'warning',
    message:
      'The API answers. The time of the former base URL https://older.example.com ended at 2026-06-01T00:00:00Z.',
    advice: 'Remove it from the setting formerBaseUrls, and deploy.',
  });
});

test('a domain that cannot be reached is to be pointed at its target', async () => {
  const unreachable = { BaseUrl: 'https://files.invalid', DomainTarget: 'd-1.execute-api.example' };
  expect(await checkApi(unreachable, Date.now)).toMatchObject({
    state: 'failed',
    advice: expect.stringContaining('the DNS record of files.invalid points at d-1.execute-api.example.'),
  });
});
