import { describe, expect, test } from 'vitest';
import { file, paths, service, upload, useFakeService, wholeJob } from '../support/upload-command.ts';

useFakeService();

const page = '<!DOCTYPE html>\n<html><head><title>Sign in to\n Wi-Fi</title></head></html>';
const html = { 'content-type': 'text/html; charset=utf-8' };

const send = async () => upload([await file('orders.csv', 'abc'), '--file', 'orders']);

const calls = [
  ['discovery', 'The discovery document', 1],
  ['token', 'The token endpoint', 2],
  ['sync', 'The sync endpoint', 3],
] as const;

describe.each(calls)('a web page in place of the answer of %s', (endpoint, name, requests) => {
  // 401, 403, 404 and 409 mean something else when the service says them.
  test.each([200, 401, 403, 404, 409])('with status %i is told as what it is', async (status) => {
    service.script[endpoint].push({ status, headers: html, body: page });
    const run = await send();
    expect(run).toMatchObject({ code: 1, stdout: '' });
    expect(run.stderr).toContain(
      `error: ${name} at ${new URL(service.baseUrl).host} answered ${status} with a web page titled "Sign in to Wi-Fi". ` +
        'The service never does: check the base URL, and that no proxy and no sign-in page of the network is in between.\n',
    );
    expect(paths()).toEqual(wholeJob.slice(0, requests));
  });

  test('is known without a content type too', async () => {
    service.script[endpoint].push({ status: 200, body: page });
    expect((await send()).stderr).toContain('answered 200 with a web page');
  });

  test('with a server error is tried again, and named', async () => {
    service.script[endpoint].push({ status: 503, headers: html, body: '<html>' });
    const run = await send();
    expect(run.code).toBe(0);
    expect(run.stderr).toContain(`${name} answered 503 with a web page. Trying again`);
  });

  test('a redirect names where it leads, without what the query repeats', async () => {
    const location = 'http://portal.example/login?from=secret';
    service.script[endpoint].push({ status: 302, headers: { location } });
    const { stderr } = await send();
    expect(stderr).toContain('answered 302 with a redirect to "http://portal.example/login". ');
  });
});

describe('a web page in place of the answer of the storage', () => {
  test.each([200, 403, 412])('with status %i is neither a success nor a refusal of S3', async (status) => {
    service.script.put.push({ status, headers: html, body: page });
    const run = await send();
    expect(run).toMatchObject({ code: 1, stdout: '' });
    expect(run.stderr).toContain(
      `error: The storage answered ${status} with a web page titled "Sign in to Wi-Fi", which S3 never does. Nothing shows that the bytes were stored. `,
    );
  });

  test('with a server error is tried again', async () => {
    service.script.put.push({ status: 502, headers: html, body: page });
    const run = await send();
    expect(run.code).toBe(0);
    expect(run.stderr).toContain(
      'The storage answered 502 with a web page titled "Sign in to Wi-Fi". Trying again',
    );
  });
});
