import { SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import {
  allow,
  clientFor,
  functionArn,
  functionRole,
  lambda,
  permission,
  prepareRuns,
  stack,
} from 'cloud-assembly-emulator/test/aws-services';
import { createKeyStore } from '../../../lambdas/signing-keys/key-store.ts';
import { stubEnvironment } from '../support/environment.ts';
import { printedBy } from '../support/log.ts';
import { arns, kmsKey, privateSecret, publicSecret } from './key-resources.ts';

const resources = [
  kmsKey,
  privateSecret,
  publicSecret,
  ...functionRole('Role', allow(['secretsmanager:*', 'kms:*'], '*')),
  lambda('Rotate'),
  permission('Rotate', 'secretsmanager.amazonaws.com', { SourceAccount: stack.accountId }),
];

test('the function creates the first keys of a deployment and its schedule', async () => {
  const runs = await prepareRuns(resources);
  const aws = await runs.start({ invoke: async () => ({ ok: true, payload: null }) });
  stubEnvironment(aws, {
    SIGNING_KEY_SECRET_ARN: arns.signingKey,
    SIGNING_KEY_KMS_KEY_ARN: arns.kmsKey,
    KEY_SET_SECRET_ARN: arns.keySet,
    SIGNING_ALGORITHM: 'ES256',
    TOKEN_LIFETIME_SECONDS: '1234',
    SIGNING_KEY_ROTATION_DAYS: '45',
  });
  // Set before the function is loaded, because the function reads `fetch` at that time.
  const responded = vi.spyOn(globalThis, 'fetch').mockResolvedValue(new Response());
  const { handler } = await import('../../../lambdas/signing-keys/handler.ts');
  const before = Date.now();
  const ids = { StackId: 'stack', RequestId: 'request', LogicalResourceId: 'SigningKeys' };
  const request = { RequestType: 'Create', ResponseURL: 'https://responses.test.invalid/', ...ids };
  const lines = await printedBy(() => handler(request, { invokedFunctionArn: functionArn('Rotate') }));
  expect(responded).toHaveBeenCalledOnce();

  const client = new SecretsManagerClient(clientFor(aws));
  const store = createKeyStore(client, arns);
  const keys = await store.readCurrent();
  expect(keys?.value).toMatchObject({ current: { alg: 'ES256' }, next: { alg: 'ES256' } });
  const published = (await store.readKeySet())?.value.keys ?? [];
  expect(published[1]?.jwk.kid).toBe(keys?.value.current.kid);
  expect(published[1]?.token_lifetime_seconds).toBe(1234);
  expect(Date.parse(published[1]?.since ?? '')).toBeGreaterThanOrEqual(before);
  expect(lines.at(-1)).toMatchObject({ days: 45, changed: true });
  client.destroy();
});
