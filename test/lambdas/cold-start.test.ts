import { SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import { environmentNames } from '../../contract/internal/environment.ts';
import { openapiDocument } from '../../contract/openapi/document.ts';
import { bodyOf, httpEvent } from '../support/http-event.ts';
import { baseUrl, keySetOf, newKey, noon } from '../support/signing-keys.ts';
import { stubEnvironment } from './support/environment.ts';

/** The contract suite calls the functions. It cannot see their work at start, nor the end of a cached key set. */

beforeEach(() => {
  vi.resetModules();
  const operatorCredentials = { accessKeyId: 'id', secretAccessKey: 'key' };
  stubEnvironment(
    { endpoint: 'http://127.0.0.1:9', operatorCredentials },
    {
      ...Object.fromEntries(Object.values(environmentNames).map((name) => [name, '1800'])),
      BASE_URL: baseUrl,
      SIGNING_KEY_SECRET_ARN: 'private keys',
      KEY_SET_SECRET_ARN: 'key set',
      METRICS_NAMESPACE: 'none',
    },
  );
  // The bundler adds it.
  vi.stubGlobal('apiDescription', openapiDocument());
});

test.each([
  ['token', ['private keys'], () => import('../../lambdas/token/handler.ts')],
  ['volumes', ['key set'], () => import('../../lambdas/volumes/handler.ts')],
  ['sync', ['key set'], () => import('../../lambdas/sync/handler.ts')],
  // Only one of its documents requires the key set.
  ['well-known', [], () => import('../../lambdas/well-known/handler.ts')],
])('the function %s fetches %j while it starts', async (_name, fetched, load) => {
  const send = vi.spyOn(SecretsManagerClient.prototype, 'send').mockRejectedValue(new Error('down') as never);
  await load();
  expect(send.mock.calls.map(([{ input }]) => input)).toEqual(
    fetched.map((SecretId) => ({ SecretId, VersionStage: 'AWSCURRENT' })),
  );
});

test('a revoked key leaves the published set within five minutes', async () => {
  const [kept, revoked] = [await newKey(), await newKey()];
  const sets = [keySetOf(kept, revoked), keySetOf(kept)];
  const read = async () => ({ SecretString: JSON.stringify(sets.shift()) });
  vi.spyOn(SecretsManagerClient.prototype, 'send').mockImplementation(read as never);
  const clock = vi.spyOn(Date, 'now').mockReturnValue(noon.getTime());
  const { handler } = await import('../../lambdas/well-known/handler.ts');
  const published = async () => bodyOf(await handler(httpEvent({ routeKey: 'GET /.well-known/jwks.json' })));
  expect(await published()).toMatchObject({ keys: { length: 2 } });
  clock.mockReturnValue(noon.getTime() + 300_000);
  expect(await published()).toMatchObject({ keys: [{ kid: kept.kid }] });
});
