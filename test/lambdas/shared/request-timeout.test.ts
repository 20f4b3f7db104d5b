import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { GetSecretValueCommand, SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import { expect, test } from 'vitest';
import { awsClientConfig } from '../../../lambdas/shared/aws-clients.ts';

test('a call of AWS whose answer does not begin in time is given up, and not only warned about', async () => {
  const server = createServer((request) => void request.resume());
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const config = awsClientConfig({
    AWS_REGION: 'us-east-1',
    AWS_ACCESS_KEY_ID: 'id',
    AWS_SECRET_ACCESS_KEY: 'secret',
    AWS_ENDPOINT_URL: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
  });
  // No limit of the socket ends the call here.
  const requestHandler = { ...config.requestHandler, requestTimeout: 50, socketTimeout: 0 };
  const secrets = new SecretsManagerClient({ ...config, requestHandler });
  try {
    // The signal ends the call of a client that would wait for ever.
    const call = secrets.send(new GetSecretValueCommand({ SecretId: 's' }), {
      abortSignal: AbortSignal.timeout(30_000),
    });
    await expect(call).rejects.toMatchObject({
      name: 'TimeoutError',
      message: expect.stringContaining('50'),
    });
  } finally {
    secrets.destroy();
    server.closeAllConnections();
    server.close();
  }
});
