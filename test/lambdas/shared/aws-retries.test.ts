import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { DynamoDBClient, GetItemCommand } from '@aws-sdk/client-dynamodb';
import { afterEach, expect, test } from 'vitest';
import { awsClientConfig } from '../../../lambdas/shared/aws-clients.ts';
import { createRetryCounter } from '../../../lambdas/shared/aws-retries.ts';

let server: Server;
afterEach(() => server.close());

/** A DynamoDB that answers with these statuses in turn, and a client of it. */
async function setUp(statuses: number[]) {
  server = createServer((request, response) => {
    request.resume();
    response.writeHead(statuses.shift() ?? 200, { 'content-type': 'application/x-amz-json-1.0' }).end('{}');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const counter = createRetryCounter();
  const { port } = server.address() as AddressInfo;
  const environment = {
    AWS_REGION: 'eu-central-1',
    AWS_ACCESS_KEY_ID: 'a',
    AWS_SECRET_ACCESS_KEY: 's',
    AWS_ENDPOINT_URL: `http://127.0.0.1:${port}`,
  };
  const client = counter.watch(new DynamoDBClient(awsClientConfig(environment)));
  const call = async () => {
    const command = new GetItemCommand({ TableName: 't', Key: { id: { S: '1' } } });
    return client.send(command).then(
      () => 'done',
      () => 'failed',
    );
  };
  return { call, counter };
}

test('calls that succeed the first time are no retries', async () => {
  const { call, counter } = await setUp([200, 200]);
  expect([await call(), await call()]).toEqual(['done', 'done']);
  expect(counter.take()).toBe(0);
});

test('each call that is made again is counted once, until the count is taken', async () => {
  const { call, counter } = await setUp([500, 200, 500, 503, 200]);
  expect([await call(), await call()]).toEqual(['done', 'done']);
  expect([counter.take(), counter.take()]).toEqual([3, 0]);
});

test('the attempt that was the last is no retry', async () => {
  const { call, counter } = await setUp([500, 500, 500]);
  expect(await call()).toBe('failed');
  expect(counter.take()).toBe(2);
});
