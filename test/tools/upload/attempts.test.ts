import { ClientRequest } from 'node:http';
import { describe, expect, test, vi } from 'vitest';
import { issued, md5, uploadId } from './support/fake-service.ts';
import { paths, service, uploadContent, useFakeService, wholeJob } from './support/upload-command.ts';

useFakeService();

const expired =
  '<Error><Code>AccessDenied</Code><Message>Request has expired</Message><X-Amz-Expires>3600</X-Amz-Expires></Error>';

describe('a temporary failure is retried', () => {
  test('a token that has expired is replaced once', async () => {
    service.script.sync.push({ status: 401, body: '{"message":"Unauthorized"}' });
    expect(await uploadContent('abc')).toMatchObject({ code: 0 });
    expect(paths().filter((path) => path === 'POST /oauth/token')).toHaveLength(2);
  });

  test('a token that is rejected twice ends it', async () => {
    const rejected = { status: 401, body: '{"message":"Unauthorized"}' };
    service.script.sync.push(rejected, rejected);
    expect(await uploadContent('abc')).toMatchObject({ code: 3 });
  });

  test('an expired URL is replaced by a new one', async () => {
    service.script.put.push({ status: 403, body: expired });
    const run = await uploadContent('abc');
    expect(run.stdout).toMatch(/ s and 2 attempts\.\n$/);
    expect(run.stderr).toContain('The upload URL has expired. Trying again');
    expect(paths().slice(1)).toEqual([...wholeJob.slice(1), ...wholeJob.slice(1)]);
  });

  test('a large file is not sent to an expired URL (RFC 9110 section 10.1.1)', async () => {
    const content = Buffer.alloc(4_000_000, 'x');
    service.script.put.push({ status: 403, body: expired });
    const run = await uploadContent(content, '--json');
    expect(JSON.parse(run.stdout)).toMatchObject({ attempts: 2, md5: md5(content) });
    expect(service.requests.filter(({ method }) => method === 'PUT').map(({ body }) => body.length)).toEqual([
      0, 4_000_000,
    ]);
  });

  test.for(['cut before body', 'cut after body'] as const)('a connection %s', async (cut) => {
    const content = Buffer.alloc(2_000_000, 'y');
    service.script.put.push(cut);
    const run = await uploadContent(content, '--json');
    expect(JSON.parse(run.stdout)).toMatchObject({ attempts: 2, md5: md5(content) });
    expect(run.stderr).toMatch(cut === 'cut after body' ? /may be stored anyway/ : /Nothing was stored/);
  });

  test('a storage that falls silent for two minutes', async () => {
    const { setTimeout } = ClientRequest.prototype;
    using limit = vi.spyOn(ClientRequest.prototype, 'setTimeout').mockImplementationOnce(function (
      this: ClientRequest,
      _,
      isOver,
    ) {
      return setTimeout.call(this, 50, isOver);
    });
    service.script.put.push('silent after body');
    const run = await uploadContent('abc');
    expect(run).toMatchObject({ code: 0, stderr: expect.stringContaining('ETIMEDOUT') });
    expect(limit.mock.calls[0]?.[0]).toBe(120_000);
  });

  test.for(['token', 'sync', 'put'] as const)(
    '429 and 5xx of %s, not before Retry-After',
    async (endpoint) => {
      service.script[endpoint].push({ status: 429, headers: { 'retry-after': '7' } }, { status: 500 });
      const run = await uploadContent('abc');
      expect(run.code).toBe(0);
      expect(run.waits).toHaveLength(2);
      expect(run.waits[0]).toBeGreaterThanOrEqual(7000);
      expect(run.waits[1]).toBeGreaterThanOrEqual(1000);
      expect(run.waits[1]).toBeLessThanOrEqual(2000);
    },
  );

  test.for(['token', 'sync', 'put'] as const)('does not retry a 501 of %s', async (endpoint) => {
    service.script[endpoint].push({ status: 501 });
    const run = await uploadContent('abc');
    expect(run).toMatchObject({ code: 1, waits: [], stderr: expect.stringContaining('501') });
  });

  test('a service that is not there: in words, after five attempts', async () => {
    const run = await uploadContent('abc', '--base-url', 'http://127.0.0.1:9');
    expect(run.code).toBe(1);
    expect(run.stderr).toMatch(
      /nothing listens at this address \(ECONNREFUSED\)\. Gave up after 5 of 5 attempts\.\n$/,
    );
    expect(run.waits).toHaveLength(4);
  });

  test('does not wait for longer than two minutes', async () => {
    service.script.sync.push({ status: 503, headers: { 'retry-after': '600' } });
    const run = await uploadContent('abc');
    expect(run).toMatchObject({ code: 1, waits: [], stderr: expect.stringContaining('asks to wait 600 s') });
  });
});

describe('an attempt whose response was lost', () => {
  const rejected = { status: 412, body: '<Error><Code>PreconditionFailed</Code></Error>' };
  const unavailable = { status: 503, body: '<Error><Code>SlowDown</Code></Error>' };
  const otherId = uploadId.replace(/1$/, '2');

  test.for([0, 3, 2_000_000])('of %i bytes is named when the next one is rejected', async (size) => {
    service.script.sync.push(issued(service.baseUrl), issued(service.baseUrl, otherId));
    service.script.put.push('cut after body', rejected);
    const run = await uploadContent(Buffer.alloc(size), '--quiet');
    expect(run.code).toBe(5);
    expect(run.stderr).toContain(`it may be stored anyway: upload ${uploadId}. An operator`);
    expect(run.stderr).not.toMatch(/Nothing was stored|0002/);
  });

  test.for(['put', 'sync'] as const)('is named when the command ends after 5xx of %s', async (endpoint) => {
    service.script.put.push('cut after body');
    const later = Array.from({ length: 4 }, () => issued(service.baseUrl, otherId));
    service.script.sync.push(issued(service.baseUrl), ...(endpoint === 'put' ? later : []));
    service.script[endpoint].push(...Array.from({ length: 5 }, () => unavailable));
    const run = await uploadContent('abc', '--quiet');
    expect(run.code).toBe(1);
    expect(run.stderr).toContain('Gave up after 5 of 5 attempts.');
    expect(run.stderr).toContain(`it may be stored anyway: upload ${uploadId}.`);
  });

  test('is named with every other, the last one included', async () => {
    service.script.sync.push(
      ...[1, 2, 3, 4, 5].map((n) => issued(service.baseUrl, `${uploadId.slice(0, -1)}${n}`)),
    );
    service.script.put.push('cut after body', unavailable, 'cut before body', unavailable, 'cut after body');
    const run = await uploadContent(Buffer.alloc(2_000_000), '--quiet');
    expect(run.stderr).toMatch(/it may be stored anyway: upload 0190b8a0-\S+1 and 0190b8a0-\S+5\. /);
  });

  test.for([0, 3])('is not named if no server listened (%i bytes)', async (size) => {
    service.script.sync.push(...Array.from({ length: 5 }, () => issued('http://127.0.0.1:9')));
    const run = await uploadContent(Buffer.alloc(size));
    expect(run).toMatchObject({ code: 1, stderr: expect.stringContaining('Gave up after 5 of 5 attempts') });
    expect(run.stderr).not.toMatch(/may be stored/);
  });

  test('is not named after a success, or if every attempt got a response', async () => {
    service.script.put.push('cut after body');
    expect(await uploadContent('abc', '--quiet')).toMatchObject({ code: 0, stderr: '' });
    service.script.put.push(unavailable, rejected);
    expect((await uploadContent('abc', '--quiet')).stderr).not.toContain('may be stored');
  });
});
