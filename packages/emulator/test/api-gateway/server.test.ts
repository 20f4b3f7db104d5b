import { EventEmitter, once } from 'node:events';
import { connect } from 'node:net';
import { setImmediate } from 'node:timers/promises';
import { tooLargePayload } from '../../lambda/invoke.ts';
import { briefly } from '../support/exchange.ts';
import { echo, startGateway, type TestGateway, type TestGatewayOptions } from '../support/gateway.ts';

const start = (options: Partial<TestGatewayOptions> = {}) => startGateway({ invoke: echo, ...options });

const returning = (payload: unknown) => () => ({ ok: true as const, payload });

/** Returns the status and the body of a response. */
async function send(gateway: TestGateway, path = '/things', request: RequestInit = {}): Promise<string> {
  const response = await fetch(`${gateway.url}${path}`, request);
  return `${response.status} ${await response.text()}`;
}

function headOf(bytes: number): string {
  const start = 'GET /things HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\nx: ';
  return `${start}${'a'.repeat(bytes - start.length - 2)}\r\n\r\n`;
}

describe('routing', () => {
  it('prefers literal parts over parameters', async () => {
    const gateway = await start({ routeKeys: ['GET /things/{id}', 'GET /things/special'] });
    expect(await send(gateway, '/things/special')).toContain('"routeKey":"GET /things/special"');
  });

  it('responds with 400 to a path that is not UTF-8', async () => {
    const gateway = await start();
    const response = await gateway.sendRaw(
      'GET /things/%ff HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\n\r\n',
    );
    expect(briefly(response)).toBe('400 {"message":"Bad Request"}');
  });
});

describe('responses of the function', () => {
  it('sends a structured response', async () => {
    const payload = {
      statusCode: 201,
      headers: { 'Content-Type': 'application/json', 'x-number': '1' },
      body: Buffer.from('{}').toString('base64'),
      isBase64Encoded: true,
    };
    const gateway = await start({ invoke: returning(payload) });
    const response = await fetch(`${gateway.url}/things`);
    expect(Object.fromEntries(response.headers)).toEqual({
      'apigw-requestid': 'request-1',
      connection: 'keep-alive',
      'content-length': '2',
      'content-type': 'application/json',
      date: expect.any(String),
      'keep-alive': 'timeout=75',
      'x-number': '1',
    });
    expect([response.status, await response.text()]).toEqual([201, '{}']);
  });

  it('responds with 500 to an invalid response', async () => {
    const gateway = await start({ invoke: returning({ body: '' }) });
    expect(await send(gateway)).toBe('500 {"message":"Internal Server Error"}');
    expect(gateway.entries[0]?.integrationError).toBe('Malformed Lambda proxy response');
  });

  it('logs no failure of a request that the end interrupted', async () => {
    const steps = new EventEmitter();
    const invoke = async () => {
      steps.emit('started');
      return (await once(steps, 'interrupted'))[0];
    };
    const started = once(steps, 'started');
    const gateway = await start({ invoke });
    const client = new AbortController();
    const response = send(gateway, '/things', { signal: client.signal }).catch(() => 'aborted');
    await started;
    client.abort();
    await Promise.all([response, gateway.close()]);
    steps.emit('interrupted', { ok: false, error: { errorType: 'Shutdown', errorMessage: '' } });
    await setImmediate();
    expect(gateway.entries).toEqual([]);
  });

  it('responds with 500 without a reason if it fails', async () => {
    const error = { errorType: 'Error', errorMessage: 'secret' };
    const gateway = await start({ invoke: () => ({ ok: false, error }) });
    expect(await send(gateway)).toBe('500 {"message":"Internal Server Error"}');
    expect(gateway.entries).toEqual([
      {
        requestId: 'request-1',
        time: expect.any(Date),
        sourceIp: '127.0.0.1',
        routeKey: 'GET /things',
        status: 500,
        responseLength: 35,
        responseLatency: expect.any(Number),
        integrationLatency: expect.any(Number),
        integrationError: 'Error',
        errorMessage: 'Internal Server Error',
        apiId: 'api123',
        domainName: '127.0.0.1',
      },
    ]);
  });

  it('responds with 503 after the timeout of the integration', async () => {
    const gateway = await start({ invoke: () => new Promise(() => undefined), timeoutMilliseconds: 20 });
    expect(await send(gateway)).toBe('503 {"message":"Service Unavailable"}');
    expect(gateway.entries[0]?.integrationError).toBe('Timed out');
  });
});

describe('limits', () => {
  it('accepts 10,240 bytes of request line and headers', async () => {
    const gateway = await start();
    expect(briefly(await gateway.sendRaw(headOf(10_240)))).toMatch('200 ');
  });

  it.for([10_241, 100_000])('rejects %i bytes of request line and headers', async (bytes) => {
    const gateway = await start();
    const response = await gateway.sendRaw(headOf(bytes));
    expect(briefly(response)).toBe('431 {"message":"Request Header Fields Too Large"}');
  });

  it('accepts a body of 10 MB', async () => {
    const gateway = await start({ invoke: returning({ statusCode: 200 }) });
    const post = (bytes: number) => send(gateway, '/things', { method: 'POST', body: Buffer.alloc(bytes) });
    expect(await post(10 * 1024 * 1024)).toBe('200 ');
    expect(await post(10 * 1024 * 1024 + 1)).toBe('413 {"message":"Request Entity Too Large"}');
  });

  it('rejects a payload that Lambda rejects', async () => {
    const gateway = await start({ invoke: () => tooLargePayload });
    expect(await send(gateway)).toBe('413 {"message":"Request Entity Too Large"}');
  });
});

it('a client that disconnects does not stop the server', async () => {
  const gateway = await start();
  const socket = connect(Number(new URL(gateway.url).port), '127.0.0.1');
  socket.write('POST /things HTTP/1.1\r\nhost: localhost\r\ncontent-length: 100\r\n\r\nabc', () =>
    socket.resetAndDestroy(),
  );
  await new Promise((resolve) => socket.once('close', resolve));
  expect(await send(gateway)).toMatch('200 ');
});
