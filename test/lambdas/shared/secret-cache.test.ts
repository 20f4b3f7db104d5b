import type { SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { createSecretCache } from '../../../lambdas/shared/keys/secret-cache.ts';
import { noon } from '../../support/signing-keys.ts';
import { fakeClient } from '../support/fake-client.ts';
import { recordingLog } from '../support/log.ts';

afterEach(() => vi.restoreAllMocks());

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
  test('is read by its ARN once in five minutes, and parsed', async () => {
    const { cache, inputs, pass } = setUp({ SecretString: 'one' }, { SecretString: 'two' });
    expect([await cache.get(), await cache.get()]).toEqual(['parsed one', 'parsed one']);
    expect(inputs).toEqual([{ SecretId: 'arn:secret', VersionStage: 'AWSCURRENT' }]);
    pass(300);
    expect(await cache.get()).toBe('parsed two');
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

  test('returns the age of its version', async () => {
    const secondsAgo = (seconds: number) => new Date(noon.getTime() - seconds * 1000);
    const versions = [5, 2].map((seconds) => ({ SecretString: 's', CreatedDate: secondsAgo(seconds) }));
    const { cache, pass } = setUp(...versions);
    expect(cache.versionAge(noon.getTime())).toBeUndefined();
    await cache.get();
    expect(cache.versionAge(noon.getTime() + 1000)).toBe(6000);
    pass(300);
    await cache.get();
    expect(cache.versionAge(noon.getTime() + 1000)).toBe(3000);
  });

  test('that has no text is an error that names the secret', async () => {
    const { cache } = setUp({ SecretBinary: new Uint8Array() });
    await expect(cache.get()).rejects.toMatchObject({
      name: 'InternalError',
      message: 'Secret has no text: arn:secret',
    });
  });
});
