import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { GetSecretValueCommand, SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { answerWithinMilliseconds, awsClientConfig } from '../../../lambdas/shared/aws-clients.ts';

let server: Server;
let answers: number;
let answer: (response: ServerResponse) => void;

beforeEach(async () => {
  answers = 0;
  server = createServer((request, response) => {
    request.resume();
    answers += 1;
    answer(response);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
});
afterEach(() => {
  server.closeAllConnections();
  server.close();
});

/** The functions' client, with times that a test can wait for. */
function client(limits: {
  readonly requestTimeout: number;
  readonly socketTimeout: number;
}): SecretsManagerClient {
  const config = awsClientConfig({
    AWS_REGION: 'us-east-1',
    AWS_ACCESS_KEY_ID: 'id',
    AWS_SECRET_ACCESS_KEY: 'secret',
    AWS_ENDPOINT_URL: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
  });
  expect(config.maxAttempts * config.requestHandler.socketTimeout).toBeLessThan(answerWithinMilliseconds);
  return new SecretsManagerClient({
    ...config,
    requestHandler: { ...config.requestHandler, ...limits },
  });
}

describe('a call of AWS that hangs', () => {
  const begins = (response: ServerResponse) => void response.writeHead(200).write('{"Secr');

  // Each is ended by its own limit: the other one is off.
  test.each([
    ['before its answer begins', () => undefined, { requestTimeout: 200, socketTimeout: 0 }],
    ['within its answer', begins, { requestTimeout: 0, socketTimeout: 200 }],
  ])('%s is given up after three attempts', async (_, behave, limits) => {
    answer = behave;
    const secrets = client(limits);
    // They are counted here, since an attempt may end on a busy machine before the server has seen it.
    let attempts = 0;
    secrets.middlewareStack.add(
      (next) => (parameters) => {
        attempts += 1;
        return next(parameters);
      },
      { step: 'deserialize' },
    );
    await expect(secrets.send(new GetSecretValueCommand({ SecretId: 's' }))).rejects.toMatchObject({
      name: 'TimeoutError',
    });
    expect(attempts).toBe(3);
    secrets.destroy();
  });

  test('once is asked again', async () => {
    answer = (response) => {
      const hangs = answers === 1;
      response.writeHead(200, { 'content-type': 'application/x-amz-json-1.1' });
      if (hangs) {
        response.write('{"Secr');
      } else {
        response.end('{"SecretString":"value"}');
      }
    };
    const secrets = client({ requestTimeout: 500, socketTimeout: 500 });
    const { SecretString } = await secrets.send(new GetSecretValueCommand({ SecretId: 's' }));
    expect(SecretString).toBe('value');
    secrets.destroy();
  });
});
