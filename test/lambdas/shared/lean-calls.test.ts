import { createServer, type IncomingHttpHeaders, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { DynamoDBClient, GetItemCommand } from '@aws-sdk/client-dynamodb';
import { GetCallerIdentityCommand, STSClient } from '@aws-sdk/client-sts';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { awsClientConfig, credentialsFromEnvironment } from '../../../lambdas/shared/aws-clients.ts';
import { makeLean } from '../../../lambdas/shared/lean-calls.ts';

let server: Server;
let seen: IncomingHttpHeaders[];
let answers: ((response: ServerResponse) => void)[];
let environment: Record<string, string>;

const give = (status: number, body: string) => (response: ServerResponse) => {
  response
    .writeHead(status, { 'content-type': 'application/x-amz-json-1.0', 'x-amzn-requestid': 'id' })
    .end(body);
};
const item = give(200, '{"Item":{"client_id":{"S":"one"}}}');
const read = () => new GetItemCommand({ TableName: 'clients', Key: { client_id: { S: 'one' } } });

beforeEach(async () => {
  seen = [];
  answers = [];
  server = createServer((request, response) => {
    request.resume();
    seen.push(request.headers);
    (answers.shift() ?? item)(response);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  environment = {
    AWS_REGION: 'eu-central-1',
    AWS_ACCESS_KEY_ID: 'id',
    AWS_SECRET_ACCESS_KEY: 'secret',
    AWS_SESSION_TOKEN: 'session',
    AWS_ENDPOINT_URL: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
  };
});
afterEach(() => {
  server.closeAllConnections();
  server.close();
});

function leanClient(): DynamoDBClient {
  const config = awsClientConfig(environment);
  const client = new DynamoDBClient(config);
  const scope = { service: 'dynamodb', region: config.region };
  makeLean(client, scope, credentialsFromEnvironment(environment));
  return client;
}

describe('a lean client of AWS', () => {
  test('makes the call, signed, with few headers', async () => {
    const { Item, $metadata } = await leanClient().send(read());
    expect(Item).toEqual({ client_id: { S: 'one' } });
    expect($metadata).toMatchObject({ httpStatusCode: 200, attempts: 1, requestId: 'id' });
    expect(Object.keys(seen[0] ?? {}).sort()).toEqual([
      'amz-sdk-invocation-id',
      'amz-sdk-request',
      'authorization',
      'connection',
      'content-length',
      'content-type',
      'host',
      'user-agent',
      'x-amz-date',
      'x-amz-security-token',
      'x-amz-target',
    ]);
    expect(seen[0]?.authorization).toMatch(
      /^AWS4-HMAC-SHA256 Credential=id\/\d{8}\/eu-central-1\/dynamodb\/aws4_request, SignedHeaders=content-type;host;x-amz-date;x-amz-security-token;x-amz-target, Signature=[0-9a-f]{64}$/,
    );
    expect(seen[0]?.host).toBe(new URL(environment.AWS_ENDPOINT_URL ?? '').host);
  });

  test.each([
    ['a throttled call', 400, '{"__type":"ProvisionedThroughputExceededException","message":"slow down"}'],
    ['an error of the service', 500, '{"__type":"InternalServerError"}'],
    ['an answer of something between', 503, 'Service Unavailable'],
  ])('repeats %s up to twice, and each attempt has its number', async (_, status, body) => {
    answers = [give(status, body), give(status, body)];
    const { $metadata } = await leanClient().send(read());
    expect($metadata.attempts).toBe(3);
    expect(seen.map((headers) => headers['amz-sdk-request'])).toEqual([
      'attempt=1; max=3',
      'attempt=2; max=3',
      'attempt=3; max=3',
    ]);
  });

  test('repeats a call whose connection broke', async () => {
    answers = [(response) => response.destroy()];
    await expect(leanClient().send(read())).resolves.toMatchObject({ $metadata: { attempts: 2 } });
  });

  test('gives up after three attempts, with the error of the service', async () => {
    const throttled = give(400, '{"__type":"ThrottlingException","message":"slow down"}');
    answers = [throttled, throttled, throttled];
    await expect(leanClient().send(read())).rejects.toMatchObject({
      name: 'ThrottlingException',
      $metadata: { attempts: 3, httpStatusCode: 400, requestId: 'id' },
    });
    expect(seen).toHaveLength(3);
  });

  test('does not repeat what would be refused again', async () => {
    answers = [give(400, '{"__type":"AccessDeniedException","message":"no"}')];
    await expect(leanClient().send(read())).rejects.toMatchObject({ name: 'AccessDeniedException' });
    expect(seen).toHaveLength(1);
  });

  test('stops a call that is aborted, and the next one works', async () => {
    const client = leanClient();
    const over = new AbortController();
    answers = [() => over.abort()];
    await expect(client.send(read(), { abortSignal: over.signal })).rejects.toMatchObject({
      name: 'AbortError',
    });
    await expect(client.send(read())).resolves.toMatchObject({ Item: { client_id: { S: 'one' } } });
  });

  test('keeps calls apart that are made at the same time', async () => {
    const client = leanClient();
    answers = ['a', 'b', 'c'].map((id) => give(200, `{"Item":{"client_id":{"S":"${id}"}}}`));
    const results = await Promise.all([client.send(read()), client.send(read()), client.send(read())]);
    expect(results.map(({ Item }) => Item?.client_id?.S).sort()).toEqual(['a', 'b', 'c']);
  });

  test('calls the regional endpoint of each service when no other is set', async () => {
    const { AWS_ENDPOINT_URL: _, ...inAws } = environment;
    const config = awsClientConfig(inAws);
    const hosts: unknown[] = [];
    const requestHandler = {
      handle: async ({
        hostname,
        protocol,
        headers,
      }: {
        hostname: string;
        protocol: string;
        headers: object;
      }) => {
        hosts.push([protocol, hostname, 'host' in headers && headers.host]);
        throw Object.assign(new Error('enough'), { name: 'Enough' });
      },
    };
    const credentials = credentialsFromEnvironment(inAws);
    const dynamodb = new DynamoDBClient({ ...config, requestHandler });
    makeLean(dynamodb, { service: 'dynamodb', region: config.region }, credentials);
    await expect(dynamodb.send(read())).rejects.toThrow('enough');
    const sts = new STSClient({ ...config, requestHandler });
    makeLean(sts, { service: 'sts', region: config.region }, credentials);
    await expect(sts.send(new GetCallerIdentityCommand())).rejects.toThrow('enough');
    const expected = ['dynamodb', 'sts'].map((service) => `${service}.eu-central-1.amazonaws.com`);
    expect(hosts).toEqual(expected.map((host) => ['https:', host, host]));
  });

  test('cannot be made of a client that lacks what is taken out, so that an update of the SDK is noticed', () => {
    const client = leanClient();
    const again = () =>
      makeLean(
        client,
        { service: 'dynamodb', region: 'eu-central-1' },
        credentialsFromEnvironment(environment),
      );
    expect(again).toThrow('The AWS SDK has no loggerMiddleware');
  });
});
