import { connect } from 'node:net';
import { describe, expect, it } from 'vitest';
import { echo, startGateway, type TestGatewayOptions } from '../support/gateway.ts';

const start = (options: Partial<TestGatewayOptions> = {}) => startGateway({ invoke: echo, ...options });

const returning = (payload: unknown) => () => ({ ok: true as const, payload });

function headOf(bytes: number): string {
  const start = 'GET /things HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\nx: ';
  return `${start}${'a'.repeat(bytes - start.length - 2)}\r\n\r\n`;
}

describe('routing', () => {
  it.for([
    ['GET', '/nothing'],
    ['GET', '/things/'],
    ['GET', '//things'],
    ['DELETE', '/things'],
    ['HEAD', '/things'],
    ['POST', '/things//act'],
  ] as const)('answers 404 to what is no route, to the letter: %s %s', async ([method, path]) => {
    const gateway = await start();
    const answer = await fetch(`${gateway.url}${path}`, { method });
    expect(answer.status).toBe(404);
    expect(await answer.text()).toBe(method === 'HEAD' ? '' : '{"message":"Not Found"}');
    expect(answer.headers.get('apigw-requestid')).toMatch(/^request-/);
  });

  it('prefers literal parts to parameters', async () => {
    const gateway = await start({ routeKeys: ['GET /things/{id}', 'GET /things/special'] });
    const event = (await (await fetch(`${gateway.url}/things/special`)).json()) as { routeKey: string };
    expect(event.routeKey).toBe('GET /things/special');
  });

  it.for(['/things/%', '/things/%zz', '/things/%ff', '/%ZZ?a=%ZZ'])(
    'answers 400 to a path that is not UTF-8: %s',
    async (path) => {
      const gateway = await start();
      const answer = await gateway.sendRaw(
        `GET ${path} HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\n\r\n`,
      );
      expect(answer).toMatch(/^HTTP\/1\.1 400 [\s\S]*\{"message":"Bad Request"\}$/);
    },
  );
});

describe('answers of the function', () => {
  it('sends a structured response', async () => {
    const payload = {
      statusCode: 201,
      headers: { 'Content-Type': 'application/json', 'x-number': 1 },
      body: Buffer.from('{}').toString('base64'),
      isBase64Encoded: true,
    };
    const gateway = await start({ invoke: returning(payload) });
    const answer = await fetch(`${gateway.url}/things`);
    expect(answer.status).toBe(201);
    expect(answer.headers.get('content-type')).toBe('application/json');
    expect(answer.headers.get('x-number')).toBe('1');
    expect(answer.headers.get('content-length')).toBe('2');
    expect(await answer.text()).toBe('{}');
  });

  it('answers 500 to what is no response', async () => {
    const gateway = await start({ invoke: returning({ body: '' }) });
    const answer = await fetch(`${gateway.url}/things`);
    expect(answer.status).toBe(500);
    expect(await answer.text()).toBe('{"message":"Internal Server Error"}');
    expect(gateway.entries[0]?.integrationError).toBe('Malformed Lambda proxy response');
  });

  it('answers 500 when it fails, and tells nothing of why', async () => {
    const error = { errorType: 'Error', errorMessage: 'secret' };
    const gateway = await start({ invoke: () => ({ ok: false, error }) });
    const answer = await fetch(`${gateway.url}/things`);
    const message = 'Internal Server Error';
    expect([answer.status, await answer.text()]).toEqual([500, JSON.stringify({ message })]);
    expect(gateway.entries[0]).toMatchObject({
      status: 500,
      integrationError: 'Error',
      errorMessage: message,
    });
  });

  it('answers 503 when it takes longer than the integration allows', async () => {
    const gateway = await start({ invoke: () => new Promise(() => undefined), timeoutMilliseconds: 20 });
    const answer = await fetch(`${gateway.url}/things`);
    expect(answer.status).toBe(503);
    expect(await answer.text()).toBe('{"message":"Service Unavailable"}');
  });
});

describe('limits', () => {
  it('takes 10,240 bytes of request line and headers', async () => {
    const gateway = await start();
    expect(await gateway.sendRaw(headOf(10_240))).toMatch(/^HTTP\/1\.1 200 /);
  });

  it.for([10_241, 16_000, 100_000])('refuses %i bytes of request line and headers', async (bytes) => {
    const gateway = await start();
    const answer = await gateway.sendRaw(headOf(bytes));
    expect(answer).toMatch(/^HTTP\/1\.1 431 [\s\S]*\{"message":"Request Header Fields Too Large"\}$/);
  });

  // Bytes are sent to the function as base64.
  const largest = { 'application/json': 6 * 1024 * 1024, 'application/octet-stream': 4.5 * 1024 * 1024 };

  it.for(Object.entries(largest))('takes a body of %s that fits into an invocation', async ([type, most]) => {
    const gateway = await start({ invoke: returning({ statusCode: 200 }) });
    const post = (bytes: number) => {
      const request = { method: 'POST', headers: { 'content-type': type }, body: Buffer.alloc(bytes) };
      return fetch(`${gateway.url}/things`, request);
    };
    expect((await post(most)).status).toBe(200);
    const refused = await post(most + 1);
    expect([refused.status, await refused.text()]).toEqual([413, '{"message":"Request Entity Too Large"}']);
  });

  it('answers 429 when the stage is throttled', async () => {
    const gateway = await start({ mayPass: () => false });
    const answer = await fetch(`${gateway.url}/things`);
    expect(answer.status).toBe(429);
    expect(await answer.text()).toBe('{"message":"Too Many Requests"}');
  });
});

describe('what is no proper request', () => {
  it('is refused, and the connection ends (RFC 9112 section 11.2)', async () => {
    const gateway = await start();
    const head = 'POST /things HTTP/1.1\r\nhost: localhost\r\ncontent-length: 3\r\ncontent-length: 4\r\n\r\n';
    const answer = await gateway.sendRaw(`${head}abcGET /things HTTP/1.1\r\nhost: localhost\r\n\r\n`);
    expect(answer).toMatch(/^HTTP\/1\.1 400 [\s\S]*\{"message":"Bad Request"\}$/);
    expect(answer.match(/HTTP\/1\.1/g)).toHaveLength(1);
  });

  it('serves on after a client went away in the middle of its body', async () => {
    const gateway = await start();
    const socket = connect(Number(new URL(gateway.url).port), '127.0.0.1');
    socket.write('POST /things HTTP/1.1\r\nhost: localhost\r\ncontent-length: 100\r\n\r\nabc', () =>
      socket.resetAndDestroy(),
    );
    await new Promise((resolve) => socket.once('close', resolve));
    expect((await fetch(`${gateway.url}/things`)).status).toBe(200);
  });
});
