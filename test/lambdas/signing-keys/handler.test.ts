import { SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import {
  type AwsRuns,
  clientFor,
  functionArn,
  functionRole,
  lambda,
  permission,
  prepareRuns,
  resource,
  stack,
} from 'cloud-assembly-emulator/test/aws-services';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { createKeyStore } from '../../../lambdas/signing-keys/key-store.ts';
import { printedBy } from '../support/log.ts';

const [privateSecret, publicSecret] = [
  resource('SigningKey', 'AWS::SecretsManager::Secret', {}),
  resource('KeySet', 'AWS::SecretsManager::Secret', {}),
];

const resources = [
  privateSecret,
  publicSecret,
  ...functionRole('Role', { Effect: 'Allow', Action: 'secretsmanager:*', Resource: '*' }),
  lambda('Rotate'),
  permission('Rotate', 'secretsmanager.amazonaws.com', { SourceAccount: stack.accountId }),
];

/** What Lambda says about the invocation. */
const invocation = { invokedFunctionArn: functionArn('Rotate') };

let runs: AwsRuns;
let client: SecretsManagerClient;

beforeAll(async () => {
  runs = await prepareRuns(resources);
  const aws = await runs.start({ invoke: async () => ({ ok: true, payload: null }) });
  client = new SecretsManagerClient(clientFor(aws));
  const { accessKeyId, secretAccessKey } = aws.operatorCredentials;
  const environment = {
    AWS_ENDPOINT_URL: aws.endpoint,
    AWS_REGION: stack.region,
    AWS_ACCESS_KEY_ID: accessKeyId,
    AWS_SECRET_ACCESS_KEY: secretAccessKey,
    SIGNING_KEY_SECRET_ARN: privateSecret.ref,
    KEY_SET_SECRET_ARN: publicSecret.ref,
    SIGNING_ALGORITHM: 'ES256',
    TOKEN_LIFETIME_SECONDS: '1234',
    SIGNING_KEY_ROTATION_DAYS: '45',
  };
  for (const [name, value] of Object.entries(environment)) {
    vi.stubEnv(name, value);
  }
});
afterAll(async () => {
  vi.unstubAllEnvs();
  client.destroy();
  await runs.end();
});

test('the function of the signing keys makes the first keys of a deployment, and its schedule', async () => {
  // Before the function is loaded: it takes `fetch` then.
  const answered = vi.spyOn(globalThis, 'fetch').mockResolvedValue(new Response());
  const { handler } = await import('../../../lambdas/signing-keys/handler.ts');
  const before = Date.now();
  const request = {
    RequestType: 'Create',
    ResponseURL: 'https://answers.test.invalid/',
    StackId: 'stack',
    RequestId: 'request',
    LogicalResourceId: 'SigningKeys',
  };
  const lines = await printedBy(() => handler(request, invocation));
  expect(
    answered.mock.calls.map(([, put]) => JSON.parse(String(Buffer.from(put?.body as Uint8Array)))),
  ).toMatchObject([{ Status: 'SUCCESS' }]);
  answered.mockRestore();

  const store = createKeyStore(client, { signingKey: privateSecret.ref, keySet: publicSecret.ref });
  const keys = await store.readCurrent();
  expect(keys?.value).toMatchObject({ current: { alg: 'ES256' }, next: { alg: 'ES256' } });
  const published = (await store.readKeySet())?.value.keys ?? [];
  expect(published.map(({ state, jwk }) => [state, jwk.kid])).toEqual([
    ['next', keys?.value.next.kid],
    ['current', keys?.value.current.kid],
  ]);
  expect(published[1]?.token_lifetime_seconds).toBe(1234);
  expect(Date.parse(published[1]?.since ?? '')).toBeGreaterThanOrEqual(before);
  expect(lines).toMatchObject([
    { level: 'INFO', message: 'Signing keys exist', made: true },
    { level: 'INFO', days: 45, changed: true },
  ]);
});
