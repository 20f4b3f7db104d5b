import type { SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import { createSecretCache } from '../../../lambdas/shared/keys/secret-cache.ts';
import { noon } from '../../support/signing-keys.ts';
import { fakeClient } from '../support/fake-client.ts';
import { recordingLog } from '../support/log.ts';

/**
 * Creates a cache of a secret, whose reads return these responses in order. Only the test advances the clock.
 */
function setUp(...responses: readonly (object | Error)[]) {
  const { log, lines, values } = recordingLog();
  const { client, inputs } = fakeClient<SecretsManagerClient>(...responses);
  const clock = vi.spyOn(Date, 'now').mockReturnValue(noon.getTime());
  const cache = createSecretCache({
    client,
    secretArn: 'arn:secret',
    parse: (text) => `parsed ${text}`,
    log,
  });
  const pass = (seconds: number) => clock.mockReturnValue(noon.getTime() + seconds * 1000);
  return { cache, inputs, lines, values, pass };
}

describe('a cached secret', () => {
  test('is read by its ARN once, and parsed', async () => {
    const { cache, inputs } = setUp({ SecretString: 'one' });
    expect([await cache.get(), await cache.get()]).toEqual(['parsed one', 'parsed one']);
    expect(inputs).toEqual([{ SecretId: 'arn:secret', VersionStage: 'AWSCURRENT' }]);
  });

  test('stays in use when it cannot be refreshed, which is counted', async () => {
    const { cache, lines, values, pass } = setUp({ SecretString: 'hush' }, new Error('down: hush'));
    await cache.get();
    pass(300);
    expect(await cache.get()).toBe('parsed hush');
    expect(lines).toMatchObject([{ level: 'WARN', message: 'refreshFailed', error_name: 'Error' }]);
    expect(JSON.stringify(lines)).not.toContain('hush');
    expect(values).toEqual([{ RefreshesFailed: 1 }]);
  });

  test('is replaced after five minutes, and returns the age of its version', async () => {
    const version = (SecretString: string, age: number) => ({
      SecretString,
      CreatedDate: new Date(noon.getTime() - age),
    });
    const { cache, pass } = setUp(version('one', 5000), version('two', 2000));
    const valueAndAge = async () => [await cache.get(), cache.versionAge(noon.getTime() + 1000)];
    expect(cache.versionAge(noon.getTime())).toBeUndefined();
    expect(await valueAndAge()).toEqual(['parsed one', 6000]);
    pass(300);
    expect(await valueAndAge()).toEqual(['parsed two', 3000]);
  });

  test('that has no text is an error that names the secret', async () => {
    const { cache } = setUp({ SecretBinary: new Uint8Array() });
    await expect(cache.get()).rejects.toMatchObject({
      name: 'InternalError',
      message: 'Secret has no text: arn:secret',
    });
  });
});
