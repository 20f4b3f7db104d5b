import { createServer, type ServerResponse } from 'node:http';
import { GetSecretValueCommand, SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import { respondWithinMilliseconds } from '../../../contract/limits.ts';
import { awsClientConfig } from '../../../lambdas/shared/aws-clients.ts';
import { listen } from '../../support/listen.ts';

const complete = { AWS_REGION: 'eu-central-1', AWS_ACCESS_KEY_ID: 'id', AWS_SECRET_ACCESS_KEY: 'key' };

const begins = (response: ServerResponse) => void response.writeHead(200).write('{"Secr');

// Each test uses only its own limit for attempts: the other limit is off.
test.for<[when: string, behave: (response: ServerResponse) => void, limits: object]>([
  ['before its response begins', () => undefined, { requestTimeout: 200, socketTimeout: 0 }],
  ['within its response', begins, { requestTimeout: 0, socketTimeout: 200 }],
])('a call of AWS that hangs %s ends after three attempts', async ([, behave, limits]) => {
  const server = createServer((request, response) => {
    request.resume();
    behave(response);
  });
  const endpoint = await listen(server);
  const config = awsClientConfig({ ...complete, AWS_ENDPOINT_URL: endpoint });
  expect(config.maxAttempts * config.requestHandler.socketTimeout).toBeLessThan(respondWithinMilliseconds);
  const requestHandler = { ...config.requestHandler, ...limits };
  const secrets = new SecretsManagerClient({ ...config, requestHandler });
  // Attempts are counted here, because on a busy machine an attempt may end before it reaches the server.
  let attempts = 0;
  secrets.middlewareStack.add(
    (next) => (parameters) => {
      attempts += 1;
      return next(parameters);
    },
    { step: 'deserialize' },
  );
  const response = secrets.send(new GetSecretValueCommand({ SecretId: 's' }));
  await expect(response).rejects.toMatchObject({ name: 'TimeoutError' });
  expect(attempts).toBe(3);
  secrets.destroy();
});

test.for([20, -20])('a call succeeds when AWS is %i minutes ahead', async (skew) => {
  const minutesAway: number[] = [];
  const handle = async ({ headers }: { readonly headers: Readonly<Record<string, string>> }) => {
    const now = Date.now() + skew * 60_000;
    const signed = headers['x-amz-date']?.replace(/^(....)(..)(..T..)(..)/, '$1-$2-$3:$4:') ?? '';
    minutesAway.push(Math.round(Math.abs(Date.parse(signed) - now) / 60_000));
    // AWS returns its own time, and rejects a signature that is more than 5 minutes away ("Signing AWS API
    // requests").
    const statusCode = (minutesAway.at(-1) ?? 0) > 5 ? 403 : 200;
    const body = Buffer.from(statusCode === 200 ? '{}' : '{"__type":"InvalidSignatureException"}');
    return { response: { statusCode, body, headers: { date: new Date(now).toUTCString() } } };
  };
  const client = new SecretsManagerClient({ ...awsClientConfig(complete), requestHandler: { handle } });
  await client.send(new GetSecretValueCommand({ SecretId: 's' }));
  await client.send(new GetSecretValueCommand({ SecretId: 's' }));
  // The first attempt is rejected, and the SDK learns the time. Later calls succeed at the first attempt.
  expect(minutesAway).toEqual([20, 0, 0]);
});

describe('the configuration of AWS clients', () => {
  test('has the region and the credentials that Lambda sets', async () => {
    const config = awsClientConfig({ ...complete, AWS_SESSION_TOKEN: 'token' });
    expect(config.region).toBe('eu-central-1');
    const credentials = { accessKeyId: 'id', secretAccessKey: 'key' };
    expect(await config.credentials()).toEqual({ ...credentials, sessionToken: 'token' });
    const without = awsClientConfig({ ...complete, AWS_SESSION_TOKEN: '', AWS_ENDPOINT_URL: '' });
    expect(await without.credentials()).toEqual(credentials);
    expect(without).not.toHaveProperty('endpoint');
  });

  test.for(['AWS_ACCESS_KEY_ID', 'AWS_SECRET_ACCESS_KEY'])('names %s if it is missing', async (name) => {
    const config = awsClientConfig({ ...complete, [name]: undefined });
    await expect(config.credentials()).rejects.toThrow(`Missing environment variable: ${name}`);
  });
});
