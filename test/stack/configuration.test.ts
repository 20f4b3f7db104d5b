import { App } from 'aws-cdk-lib';
import { describe, expect, it } from 'vitest';
import { type Configuration, readConfiguration, settings } from '../../lib/configuration.ts';
import { propertiesOf, resourcesOf, synthesized } from './synthesized.ts';

const configured = (context: Readonly<Record<string, unknown>>) =>
  readConfiguration(new App({ context: { ...context } }).node);

const defaults: Configuration = {
  stage: 'prod',
  tokenLifetimeSeconds: 3600,
  uploadUrlLifetimeSeconds: 3600,
  signingAlgorithm: 'ES256',
  baseUrl: undefined,
  throttlingRateLimit: 1000,
  throttlingBurstLimit: 2000,
  reservedConcurrency: 'background',
  supersededRetentionDays: 30,
  signingKeyRotationDays: 90,
};

/** What each key may be, as text and as JSON, and what it may not. */
const cases: { readonly [Key in keyof Configuration]: { valid: unknown[]; invalid: unknown[] } } = {
  stage: { valid: ['prod', 'dev'], invalid: ['production', 'DEV', '', 1, null] },
  tokenLifetimeSeconds: {
    valid: ['60', '86400', 60, 86_400],
    invalid: ['59', '86401', '', '1h', '60.5', '-60', ' 60', '0x3c', 60.5, true, null, ['60']],
  },
  uploadUrlLifetimeSeconds: { valid: ['60', 3600], invalid: ['59', '3601', 0, 'hour'] },
  signingAlgorithm: { valid: ['ES256', 'RS256'], invalid: ['HS256', 'none', 'es256', ''] },
  baseUrl: {
    valid: [
      'https://files.example.com',
      'https://files.example.com:8443',
      'http://127.0.0.1:3000',
      'http://[::1]:3000',
    ],
    invalid: [
      'http://files.example.com',
      'https://files.example.com/',
      'https://files.example.com/api',
      'https://files.example.com?a=b',
      'https://files.example.com#top',
      'https://user@files.example.com',
      'https://files.example.com:443',
      'HTTPS://files.example.com',
      'files.example.com',
      'ftp://files.example.com',
      '',
      3000,
    ],
  },
  throttlingRateLimit: { valid: ['1', 100_000], invalid: ['0', 100_001] },
  throttlingBurstLimit: { valid: ['1', 100_000], invalid: ['0', 100_001] },
  reservedConcurrency: { valid: ['background', 'none'], invalid: ['all', '', 'Background', 10, true] },
  supersededRetentionDays: { valid: ['1', 3650], invalid: ['0', 3651, '30d'] },
  signingKeyRotationDays: { valid: ['1', 1000], invalid: ['0', 1001] },
};

const keys = Object.keys(cases) as (keyof Configuration)[];
const validCases = keys.flatMap((key) => cases[key].valid.map((value) => ({ key, value })));
const invalidCases = keys.flatMap((key) => cases[key].invalid.map((value) => ({ key, value })));

describe('configuration', () => {
  it('has a default for every setting', () => {
    expect(configured({})).toEqual(defaults);
    expect(Object.keys(settings)).toEqual(Object.keys(defaults));
  });

  it.each(validCases)('takes $value for $key', ({ key, value }) => {
    const expected = typeof defaults[key] === 'number' ? Number(value) : value;
    expect(configured({ [key]: value })).toEqual({ ...defaults, [key]: expected });
  });

  it.each(invalidCases)(
    'refuses $value for $key, naming the key, the value and what is allowed',
    ({ key, value }) => {
      expect(() => configured({ [key]: value })).toThrow(
        `The value ${JSON.stringify(value)} of ${key} is not allowed: it must be ${settings[key].allowed}.`,
      );
    },
  );

  it('refuses a key that is almost one of its own, which would be ignored otherwise', () => {
    const meant = {
      tokenLifetime: 'tokenLifetimeSeconds',
      stagee: 'stage',
      Stage: 'stage',
      baseURL: 'baseUrl',
      'base-url': 'baseUrl',
      signingAlgoritm: 'signingAlgorithm',
      throttlingRate: 'throttlingRateLimit',
    };
    for (const [key, name] of Object.entries(meant)) {
      expect(() => configured({ [key]: 'x' })).toThrow(
        `The setting ${key} does not exist: did you mean ${name}?`,
      );
    }
  });

  it('leaves keys of the CDK and of other projects alone', () => {
    const context = { '@aws-cdk/core:target-partitions': ['aws'], 'cli-telemetry': false, vpcId: 'vpc-1' };
    expect(configured(context)).toEqual(defaults);
  });
});

describe('settings together', () => {
  const corners: { readonly [Key in keyof Configuration]: readonly Configuration[Key][] } = {
    stage: ['prod', 'dev'],
    tokenLifetimeSeconds: [60, 86_400],
    uploadUrlLifetimeSeconds: [60, 3600],
    signingAlgorithm: ['ES256', 'RS256'],
    baseUrl: [undefined, 'https://files.example.com'],
    throttlingRateLimit: [1, 100_000],
    throttlingBurstLimit: [1, 100_000],
    reservedConcurrency: ['background', 'none'],
    supersededRetentionDays: [1, 3650],
    signingKeyRotationDays: [1, 1000],
  };

  /** Rows of an orthogonal array: any two settings meet in all four combinations of their corners. */
  const rows = Array.from({ length: 16 }, (_, row) => {
    const corner = <Key extends keyof Configuration>(key: Key): Configuration[Key] | undefined =>
      corners[key][parity(row & (keys.indexOf(key) + 1))];
    return Object.fromEntries(keys.map((key) => [key, corner(key)]));
  });

  it.each(rows.map((row) => [JSON.stringify(row), row] as const))(
    'makes a template that CloudFormation takes: %s',
    (_, row) => {
      const set = Object.entries(row).filter(([, value]) => value !== undefined);
      const { document } = synthesized(Object.fromEntries(set), { checked: true });
      expect(resourcesOf(document, 'AWS::ApiGatewayV2::Route')).toHaveLength(6);
      expect(propertiesOf<object>(document, 'AWS::ApiGatewayV2::Stage')[0]).toMatchObject({
        DefaultRouteSettings: {
          ThrottlingRateLimit: row.throttlingRateLimit,
          ThrottlingBurstLimit: row.throttlingBurstLimit,
        },
      });
    },
  );

  it('meets every pair of values', () => {
    const pairs = keys.flatMap((first, index) =>
      keys.slice(index + 1).map((second) => [first, second] as const),
    );
    for (const [first, second] of pairs) {
      const met = new Set(rows.map((row) => `${row[first]} ${row[second]}`));
      expect(met.size, `${first} and ${second}`).toBe(4);
    }
  });

  function parity(bits: number): number {
    return bits === 0 ? 0 : (bits & 1) ^ parity(bits >> 1);
  }
});
