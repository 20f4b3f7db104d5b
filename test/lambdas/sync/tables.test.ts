import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createRecordIssued } from '../../../lambdas/sync/tables.ts';
import { noon } from '../../support/signing-keys.ts';

/** A DynamoDB that takes requests and never answers. */
let server: Server;
let dynamodb: DynamoDBClient;
/** Requests that came, each with the promise that its connection was given up. */
let received: { readonly target: unknown; readonly givenUp: Promise<unknown> }[];

beforeEach(async () => {
  received = [];
  server = createServer((request: IncomingMessage) => {
    received.push({ target: request.headers['x-amz-target'], givenUp: once(request.socket, 'close') });
    server.emit('received');
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  dynamodb = new DynamoDBClient({
    endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    region: 'us-east-1',
    credentials: { accessKeyId: 'test', secretAccessKey: 'test' },
  });
});

afterEach(async () => {
  dynamodb.destroy();
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
});

const upload = {
  upload_id: 'a',
  file_id: 'file',
  organisation_id: 'acme',
  client_id: 'client',
  key: 'uploads/a',
  issued_at: noon.toISOString(),
  expires_at: noon.toISOString(),
};

describe('the write that records an upload URL', () => {
  test('is given up, and not repeated, when its request is given up', async () => {
    const over = new AbortController();
    const write = createRecordIssued(dynamodb, 'uploads')(upload, over.signal);
    await once(server, 'received');
    over.abort();
    await expect(write).rejects.toMatchObject({ name: 'AbortError' });
    await received[0]?.givenUp;
    expect(received).toHaveLength(1);
  });

  test('is not begun when its request was given up before', async () => {
    const write = createRecordIssued(dynamodb, 'uploads')(upload, AbortSignal.abort());
    await expect(write).rejects.toMatchObject({ name: 'AbortError' });
    expect(received).toEqual([]);
  });
});
