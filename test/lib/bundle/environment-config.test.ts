import * as original from '@smithy/core/config';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import * as ours from '../../../lib/bundle/environment-config.ts';

/** Settings that the SDK reads for every client: ours and the original's. */
const settings = [
  [ours.NODE_REGION_CONFIG_OPTIONS, original.NODE_REGION_CONFIG_OPTIONS],
  [ours.NODE_USE_DUALSTACK_ENDPOINT_CONFIG_OPTIONS, original.NODE_USE_DUALSTACK_ENDPOINT_CONFIG_OPTIONS],
  [ours.NODE_USE_FIPS_ENDPOINT_CONFIG_OPTIONS, original.NODE_USE_FIPS_ENDPOINT_CONFIG_OPTIONS],
] as const;

const number = {
  environmentVariableSelector: (environment: Record<string, string | undefined>) =>
    original.numberSelector(definedOnly(environment), 'AWS_MAX_ATTEMPTS', original.SelectorType.ENV),
  configFileSelector: () => undefined,
  default: 3,
};

function definedOnly(environment: Record<string, string | undefined>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(environment).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
  );
}

describe('settings of SDK clients in a bundle', () => {
  beforeEach(() => {
    // No files, and nobody to ask for the Region: what is left to the original is the environment.
    vi.stubEnv('AWS_CONFIG_FILE', '/nowhere/config');
    vi.stubEnv('AWS_SHARED_CREDENTIALS_FILE', '/nowhere/credentials');
    vi.stubEnv('AWS_EC2_METADATA_DISABLED', 'true');
  });
  afterEach(() => {
    vi.unstubAllEnvs();
  });

  it.each([
    {},
    { AWS_REGION: 'eu-central-1' },
    { AWS_USE_FIPS_ENDPOINT: 'true', AWS_USE_DUALSTACK_ENDPOINT: 'false' },
    { AWS_USE_FIPS_ENDPOINT: 'false', AWS_USE_DUALSTACK_ENDPOINT: 'true' },
    { AWS_USE_FIPS_ENDPOINT: 'yes', AWS_USE_DUALSTACK_ENDPOINT: '' },
  ])('are those that the SDK reads from the environment: %j', async (variables) => {
    for (const name of ['AWS_REGION', 'AWS_USE_FIPS_ENDPOINT', 'AWS_USE_DUALSTACK_ENDPOINT']) {
      vi.stubEnv(name, Object.entries(variables).find(([key]) => key === name)?.[1]);
    }
    for (const [setting, originalSetting] of settings) {
      const [read, expected] = await Promise.allSettled([
        ours.loadConfig<unknown>(setting)(),
        original.loadConfig<unknown>(originalSetting)(),
      ]);
      expect(read.status).toBe(expected.status);
      expect('value' in read && read.value).toEqual('value' in expected && expected.value);
    }
  });

  it.each([undefined, '5', '2.9', 'many', ''])('read a number like the SDK: %j', async (text) => {
    vi.stubEnv('AWS_MAX_ATTEMPTS', text);
    expect(await ours.loadConfig(number)()).toBe(await original.loadConfig(number)());
    const selected = attempt(() => ours.numberSelector(process.env, 'AWS_MAX_ATTEMPTS', 'env'));
    const expected = attempt(() => number.environmentVariableSelector(process.env));
    expect(selected).toBe(expected);
  });

  it('are read once, when they are first asked for', async () => {
    vi.stubEnv('AWS_USE_FIPS_ENDPOINT', 'false');
    const useFips = ours.loadConfig(ours.NODE_USE_FIPS_ENDPOINT_CONFIG_OPTIONS);
    vi.stubEnv('AWS_USE_FIPS_ENDPOINT', 'true');
    expect(await useFips()).toBe(true);
    vi.stubEnv('AWS_USE_FIPS_ENDPOINT', 'false');
    expect(await useFips()).toBe(true);
  });

  it('resolve the Region and FIPS to functions, like the SDK', async () => {
    for (const config of [
      { region: 'eu-central-1' },
      { region: 'eu-central-1', useFipsEndpoint: true },
      { region: async () => 'eu-central-1', useFipsEndpoint: async () => true },
    ]) {
      const read = ours.resolveRegionConfig({ ...config });
      const expected = original.resolveRegionConfig({
        useDualstackEndpoint: false,
        ...config,
        useFipsEndpoint: config.useFipsEndpoint ?? false,
      });
      expect([await read.region(), await read.useFipsEndpoint()]).toEqual([
        await expected.region(),
        await expected.useFipsEndpoint(),
      ]);
    }
    expect(() => ours.resolveRegionConfig({})).toThrow('Region is missing');
  });

  it('have the same default mode as the SDK', async () => {
    expect(await ours.resolveDefaultsModeConfig()()).toBe(await original.resolveDefaultsModeConfig()());
  });
});

function attempt(action: () => unknown): unknown {
  try {
    return action();
  } catch (error) {
    return error instanceof Error ? error.name : error;
  }
}
