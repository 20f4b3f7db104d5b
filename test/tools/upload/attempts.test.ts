import { ClientRequest } from 'node:http';
import { issued, uploadId } from './support/fake-service.ts';
import { paths, service, uploadContent, useFakeService } from './support/upload-command.ts';

useFakeService();

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

  test('a broken connection, and whether the upload may be stored', async () => {
    service.script.put.push('cut before body', 'cut after body');
    const run = await uploadContent(Buffer.alloc(2_000_000, 'y'));
    expect(run.stdout).toMatch(/ s and 3 attempts\.\n$/);
    expect(run.stderr).toMatch(/Nothing was stored\. .*\n.*may be stored anyway/);
  });

  test('a storage that falls silent for two minutes', async () => {
    const limit = vi.spyOn(ClientRequest.prototype, 'setTimeout').mockReturnThis();
    service.script.put.push('silent after body');
    const running = uploadContent('abc');
    await expect.poll(() => service.requests.length).toBe(3);
    const [milliseconds, isOver] = limit.mock.calls[0] ?? [];
    isOver?.();
    expect(await running).toMatchObject({ code: 0, stderr: expect.stringContaining('ETIMEDOUT') });
    expect(milliseconds).toBe(120_000);
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
  const rejected = { status: 412 };
  const unavailable = { status: 503 };

  test.for([0, 3, 2_000_000])('of %i bytes is named when the next one is rejected', async (size) => {
    service.script.sync.push(issued(service.baseUrl), issued(service.baseUrl, uploadId.replace(/1$/, '2')));
    service.script.put.push('cut after body', rejected);
    const run = await uploadContent(Buffer.alloc(size), '--quiet');
    expect(run.code).toBe(5);
    expect(run.stderr).toContain(`it may be stored anyway: upload ${uploadId}. An operator`);
    expect(run.stderr).not.toMatch(/Nothing was stored|0002/);
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
});
