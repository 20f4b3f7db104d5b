import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, test } from 'vitest';
import { createAnswerCustomResource } from '../../../lambdas/signing-keys/answer-custom-resource.ts';
import { createKeyHandler } from '../../../lambdas/signing-keys/handle-key-event.ts';
import { FakeSchedule, functionArn } from './fake-schedule.ts';
import { setUp } from './set-up.ts';

interface Received {
  readonly method: string | undefined;
  readonly contentType: string | undefined;
  readonly body: Record<string, unknown>;
}

/** Takes the answers to CloudFormation, refusing the first `refusals`. */
async function withReceiver(
  use: (url: string, received: Received[]) => Promise<void>,
  refusals = 0,
): Promise<void> {
  const received: Received[] = [];
  let left = refusals;
  const server = createServer(async (request, response) => {
    const body = Buffer.concat(await request.toArray()).toString();
    received.push({
      method: request.method,
      contentType: request.headers['content-type'],
      body: JSON.parse(body) as Record<string, unknown>,
    });
    response.writeHead(left-- > 0 ? 503 : 200).end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  try {
    await use(`http://127.0.0.1:${(server.address() as AddressInfo).port}/answer?signature=hush`, received);
  } finally {
    server.closeAllConnections();
    server.close();
  }
}

function keyHandler() {
  const setup = setUp();
  const waits: number[] = [];
  const schedule = new FakeSchedule();
  const handle = createKeyHandler({
    ...setup.dependencies,
    signingKeySecretArn: 'arn',
    schedule,
    rotationDays: 90,
    sleep: async (milliseconds) => setup.pass(milliseconds / 1000),
    answerCustomResource: createAnswerCustomResource({
      put: fetch,
      sleep: async (milliseconds) => void waits.push(milliseconds),
      random: () => 0.5,
    }),
  });
  const handler = (event: unknown) => handle(event, { invokedFunctionArn: functionArn });
  return { ...setup, handler, schedule, waits };
}

const request = (RequestType: string, ResponseURL: string) => ({
  RequestType,
  ResponseURL,
  StackId: 'stack',
  RequestId: 'request',
  LogicalResourceId: 'SigningKeys',
  ResourceType: 'Custom::SigningKeys',
});

describe('a custom resource request', () => {
  test.each(['Create', 'Update'])('%s makes keys, and answers as CloudFormation wants it', async (type) => {
    await withReceiver(async (url, received) => {
      const { handler, store } = keyHandler();
      await handler(request(type, url));
      expect(store.writes).toEqual(['keySet', 'current']);
      expect(received).toEqual([
        {
          method: 'PUT',
          // The URL is signed without one.
          contentType: undefined,
          body: {
            Status: 'SUCCESS',
            PhysicalResourceId: 'signing-keys',
            StackId: 'stack',
            RequestId: 'request',
            LogicalResourceId: 'SigningKeys',
          },
        },
      ]);
    });
  });

  test('Delete deletes nothing', async () => {
    await withReceiver(async (url, received) => {
      const { handler, store } = keyHandler();
      await handler(request('Create', url));
      await handler(request('Delete', url));
      expect(store.writes).toEqual(['keySet', 'current']);
      expect(received[1]?.body.Status).toBe('SUCCESS');
    });
  });

  test('that fails is answered FAILED, without detail of a foreign error', async () => {
    await withReceiver(async (url, received) => {
      const { handler, store, lines } = keyHandler();
      store.writesLeft = 0;
      await handler(request('Create', url));
      expect(received[0]?.body).toMatchObject({
        Status: 'FAILED',
        Reason: 'Error: see the log of the function',
      });
      expect(JSON.stringify(lines)).not.toContain('hush');
    });
  });

  test('is answered again when CloudFormation did not take the answer', async () => {
    await withReceiver(async (url, received) => {
      const { handler, waits } = keyHandler();
      await handler(request('Create', url));
      expect(received).toHaveLength(3);
      // Half of 0.5 s and of 1 s: with jitter, so that nobody comes back in step.
      expect(waits).toEqual([250, 500]);
    }, 2);
  });

  test('whose answer is never taken fails, without the URL', async () => {
    await withReceiver(async (url) => {
      await expect(keyHandler().handler(request('Create', url))).rejects.toThrow(/^CloudFormation did not/);
    }, 3);
  });
});

describe('other events', () => {
  test('a rotation step rotates', async () => {
    const { handler, ensure, store } = keyHandler();
    await ensure();
    store.begin('token');
    await handler({ Step: 'createSecret', ClientRequestToken: 'token', SecretId: 'arn', RotationToken: 'x' });
    expect(store.writes.at(-1)).toBe('pending');
  });

  test('a revocation answers what became of the key', async () => {
    const { handler, ensure, keys } = keyHandler();
    await ensure();
    const { current, next } = await keys();
    expect(await handler({ action: 'revoke', kid: current.kid })).toMatchObject({ signing_kid: next.kid });
  });

  test('that fail are logged and thrown, so that they are repeated', async () => {
    const { handler, lines } = keyHandler();
    await expect(handler({ action: 'revoke', kid: 'x' })).rejects.toThrow('no signing key with this id');
    expect(lines[0]).toMatchObject({ message: 'keyOperationFailed', error_name: 'InternalError' });
  });

  test('that fail in foreign code are thrown without what it said', async () => {
    const { handler, store, ensure } = keyHandler();
    await ensure();
    store.begin('token');
    store.writesLeft = 0;
    const event = { Step: 'createSecret', ClientRequestToken: 'token', SecretId: 'arn' };
    const thrown = await handler(event).catch((error: Error) => error);
    expect(thrown).toMatchObject({ name: 'InternalError', message: 'Error: see the log of the function' });
    expect(thrown).not.toHaveProperty('cause');
  });

  test.each([
    undefined,
    null,
    {},
    { action: 'destroy' },
    { Step: 'dropSecret', ClientRequestToken: 't', SecretId: 'arn' },
    { Step: 'createSecret', ClientRequestToken: 't' },
    'revoke',
  ])('%j is refused', async (event) => {
    const { handler, store } = keyHandler();
    await expect(handler(event)).rejects.toThrow('Not an event');
    expect(store.writes).toEqual([]);
  });
});
