import type { APIGatewayProxyEventV2 } from 'aws-lambda';
import { echo, startGateway } from '../support/gateway.ts';

const gateway = await startGateway({ invoke: echo });

async function eventOf(path: string, request: RequestInit = {}): Promise<APIGatewayProxyEventV2> {
  const response = await fetch(`${gateway.url}${path}`, request);
  expect(response.status).toBe(200);
  return (await response.json()) as APIGatewayProxyEventV2;
}

async function rawEventOf(...lines: readonly string[]): Promise<APIGatewayProxyEventV2> {
  const response = await gateway.sendRaw(
    `${[...lines, 'host: localhost', 'connection: close'].join('\r\n')}\r\n\r\n`,
  );
  return JSON.parse(response.slice(response.indexOf('\r\n\r\n') + 4)) as APIGatewayProxyEventV2;
}

describe('payload format 2.0 (API Gateway, "AWS Lambda proxy integrations for HTTP APIs")', () => {
  it('describes the request', async () => {
    const event = await rawEventOf('GET /things/a?x=1 HTTP/1.1', 'user-agent: tester');
    expect(event).toEqual({
      version: '2.0',
      routeKey: 'GET /things/{id}',
      rawPath: '/things/a',
      rawQueryString: 'x=1',
      queryStringParameters: { x: '1' },
      pathParameters: { id: 'a' },
      headers: {
        host: 'localhost',
        'user-agent': 'tester',
        'x-forwarded-for': '127.0.0.1',
        'x-forwarded-port': new URL(gateway.url).port,
        'x-forwarded-proto': 'http',
      },
      isBase64Encoded: false,
      requestContext: {
        accountId: '000000000000',
        apiId: 'api123',
        domainName: '127.0.0.1',
        domainPrefix: '127',
        requestId: expect.stringContaining('request-'),
        routeKey: 'GET /things/{id}',
        stage: '$default',
        time: expect.any(String),
        timeEpoch: expect.any(Number),
        http: {
          method: 'GET',
          path: '/things/a',
          protocol: 'HTTP/1.1',
          sourceIp: '127.0.0.1',
          userAgent: 'tester',
        },
      },
    });
  });

  it('omits members that the request lacks', async () => {
    const { headers: _, requestContext, ...event } = await rawEventOf('GET http://localhost/things HTTP/1.1');
    expect(event).toEqual({
      version: '2.0',
      routeKey: 'GET /things',
      rawPath: '/things',
      rawQueryString: '',
      isBase64Encoded: false,
    });
    expect(requestContext.http.userAgent).toBe('');
  });

  it('contains the decoded path and parameters, with an encoded slash', async () => {
    const event = await eventOf('/things/a%2Fb%20%C3%A9');
    expect(event.pathParameters).toEqual({ id: 'a/b é' });
    expect(event.rawPath).toBe('/things/a/b é');
  });

  it('joins repeated headers by commas, in order, in lower case', async () => {
    const event = await rawEventOf(
      'GET /things HTTP/1.1',
      'X-Many: one',
      'x-many: two',
      'Authorization: Bearer a',
      'authorization: Bearer b',
    );
    expect(event.headers['x-many']).toBe('one,two');
    expect(event.headers.authorization).toBe('Bearer a,Bearer b');
  });

  it('lists cookies separately', async () => {
    const event = await rawEventOf('GET /things HTTP/1.1', 'cookie: a=1; b=2 3,c=;');
    expect(event.cookies).toEqual(['a=1', 'b=2 3', 'c=']);
    expect(event.headers).not.toHaveProperty('cookie');
  });

  it('omits headers of the connection, and adds the sender', async () => {
    const event = await rawEventOf('GET /things HTTP/1.1', 'te: trailers', 'x-forwarded-for: 10.0.0.1');
    expect(event.headers).not.toHaveProperty('te');
    expect(event.headers).not.toHaveProperty('connection');
    expect(event.headers['x-forwarded-for']).toBe('10.0.0.1, 127.0.0.1');
    expect(event.headers['x-forwarded-proto']).toBe('http');
  });

  it('joins repeated query parameters by commas', async () => {
    const event = await eventOf('/things?a=1&a=2&b=x+y%26&c');
    expect(event.queryStringParameters).toEqual({ a: '1,2', b: 'x y&', c: '' });
  });

  it.each([
    ['application/octet-stream', 'bytes', true],
    ['application/json; charset=utf-8', '{"a":1}', false],
  ])('encodes a body of type %s as base64 unless it is known to be text', async (type, body, encoded) => {
    const event = await eventOf('/things', { method: 'POST', headers: { 'content-type': type }, body });
    expect(event.isBase64Encoded).toBe(encoded);
    expect(event.body).toBe(encoded ? Buffer.from(body).toString('base64') : body);
    expect(event.headers['content-length']).toBe(String(body.length));
  });
});
