import { App } from 'aws-cdk-lib';
import { Annotations, Match } from 'aws-cdk-lib/assertions';
import { describe, expect, it } from 'vitest';
import {
  type Configuration,
  ConfigurationError,
  completeConfiguration,
  readConfiguration,
  requireTopicOf,
  settingNames,
  settings,
} from '../../lib/configuration.ts';
import { createApp } from '../../lib/file-sync-app.ts';
import { FileSyncStack } from '../../lib/file-sync-stack.ts';
import { withoutBundling } from '../support/synthesized.ts';

const configured = (context: Readonly<Record<string, unknown>>) =>
  readConfiguration(new App({ context: { ...context } }).node);

/** The settings whose default and limits are promised. Of one that is not here, only what holds for all is checked. */
const promised: Partial<Configuration> = {
  stage: 'prod',
  tokenLifetimeSeconds: 3600,
  uploadUrlLifetimeSeconds: 3600,
  signingAlgorithm: 'ES256',
  baseUrl: undefined,
  throttlingRateLimit: 1000,
  throttlingBurstLimit: 2000,
  tokenRateLimit: 300,
  syncRateLimit: 200,
  otherRateLimit: 125,
  recorderConcurrency: 10,
  reservedConcurrency: 'none',
  supersededRetentionDays: 30,
  uploadRecordRetentionDays: 'forever',
  signingKeyRotationDays: 90,
  alarmEmail: undefined,
  alarmTopicArn: undefined,
  v0DeprecatedAt: undefined,
  v0SunsetAt: undefined,
};

/** Not times, or not clear which: without an offset, or with a day, an hour or a second that there is not. */
const notTimes = [
  '2027-01-31',
  '2027-01-31T00:00:00',
  '2027-01-31 00:00:00Z',
  '2027-1-31T00:00:00Z',
  '2027-02-29T00:00:00Z',
  '2027-06-31T00:00:00Z',
  '2027-13-01T00:00:00Z',
  '2027-01-31T25:00:00Z',
  '2027-01-31T00:00:61Z',
  '9999-12-31T23:59:59-01:00',
  'tomorrow',
  '1801389600',
  '',
  1_801_389_600,
  null,
  true,
];

/** What each key may be, as text and as JSON, and what it may not. */
const cases: { readonly [Key in keyof Configuration]?: { valid: unknown[]; invalid: unknown[] } } = {
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
      'https://FILES.example.com',
      'https://bücher.example',
      'HTTPS://files.example.com',
      'files.example.com',
      'ftp://files.example.com',
      '',
      3000,
    ],
  },
  domainName: {
    valid: [
      'files.example.com',
      'example.com',
      'a-b.1x.example',
      'xn--bcher-kva.example',
      `${'a'.repeat(63)}.example`,
    ],
    invalid: [
      '*.example.com',
      'Files.example.com',
      'files_1.example.com',
      'files.example.com.',
      '.example.com',
      'files..example.com',
      '-files.example.com',
      'files-.example.com',
      'localhost',
      '127.0.0.1',
      '1.2.3',
      'bücher.example',
      'xn--a.example',
      'https://files.example.com',
      'files.example.com:443',
      'files.example.com/v0',
      `${'a'.repeat(64)}.example`,
      `${'a.'.repeat(126)}aa`,
      'files.example.com\n',
      '',
      1,
    ],
  },
  certificateArn: {
    valid: [
      'arn:aws:acm:eu-central-1:123456789012:certificate/11111111-2222-3333-4444-555555555555',
      'arn:aws-cn:acm:cn-north-1:123456789012:certificate/abc',
    ],
    invalid: [
      '11111111-2222-3333-4444-555555555555',
      'arn:aws:iam::123456789012:server-certificate/abc',
      'arn:aws:acm:eu-central-1:12345:certificate/abc',
      'arn:aws:acm:eu-central-1:123456789012:certificate/',
      '',
    ],
  },
  hostedZoneId: {
    valid: ['Z0123456789ABCDEFGHIJ', 'Z1'],
    invalid: ['/hostedzone/Z0123456789', 'z0123456789', 'example.com', 'Z', `Z${'0'.repeat(32)}`, ''],
  },
  throttlingRateLimit: { valid: ['1', 100_000], invalid: ['0', 100_001] },
  throttlingBurstLimit: { valid: ['1', 100_000], invalid: ['0', 100_001] },
  tokenRateLimit: { valid: ['1', 100_000], invalid: ['0', 100_001] },
  syncRateLimit: { valid: ['1', 100_000], invalid: ['0', 100_001] },
  otherRateLimit: { valid: ['1', 100_000], invalid: ['0', 100_001] },
  recorderConcurrency: { valid: ['1', 1000], invalid: ['0', 1001] },
  reservedConcurrency: { valid: ['background', 'none'], invalid: ['all', '', 'Background', 10, true] },
  supersededRetentionDays: { valid: ['1', 3650], invalid: ['0', 3651, '30d'] },
  uploadRecordRetentionDays: { valid: ['forever', 30, 3650], invalid: ['29', 3651, 'never', '30d'] },
  signingKeyRotationDays: { valid: ['1', 1000], invalid: ['0', 1001] },
  alarmEmail: {
    valid: [
      'alarms@example.com',
      'on-call+files.prod@alerts.example.co.uk',
      'A@EXAMPLE.COM',
      "o'neil@a-b.example",
    ],
    invalid: [
      '',
      'alarms',
      'alarms@',
      '@example.com',
      'alarms@example',
      'alarms@example.com ',
      'Alarms <alarms@example.com>',
      'mailto:alarms@example.com',
      'a@b@example.com',
      'a..b@example.com',
      '.a@example.com',
      'alarms@-example.com',
      'alarms@example..com',
      'alarms@example.com,other@example.com',
      'alarms@example.com\nother',
      `${'a'.repeat(243)}@example.com`,
      5,
      null,
    ],
  },
  alarmTopicArn: {
    valid: [
      'arn:aws:sns:eu-central-1:123456789012:alarms',
      'arn:aws-cn:sns:cn-north-1:123456789012:Alarms_1-b',
      'arn:aws-us-gov:sns:us-gov-west-1:123456789012:a',
    ],
    invalid: [
      '',
      'alarms',
      'arn:aws:sqs:eu-central-1:123456789012:alarms',
      'arn:aws:sns:eu-central-1:12345:alarms',
      'arn:aws:sns::123456789012:alarms',
      // A FIFO topic, which alarms cannot notify, and a subscription.
      'arn:aws:sns:eu-central-1:123456789012:alarms.fifo',
      'arn:aws:sns:eu-central-1:123456789012:alarms:5f5e5d5c-0000-4000-8000-000000000000',
      `arn:aws:sns:eu-central-1:123456789012:${'a'.repeat(257)}`,
      ' arn:aws:sns:eu-central-1:123456789012:alarms',
      5,
    ],
  },
  monitoring: { valid: ['full', 'none'], invalid: ['', 'some', true] },
  v0DeprecatedAt: { valid: ['2027-01-31T00:00:00Z', '1999-12-31T23:59:59Z'], invalid: notTimes },
  v0SunsetAt: { valid: ['2027-02-28T12:30:00Z', '2028-02-29T00:00:00Z'], invalid: notTimes },
};

const keys = Object.keys(cases) as (keyof Configuration)[];
const valid = (key: keyof Configuration) => cases[key]?.valid ?? [];
const invalid = (key: keyof Configuration) => cases[key]?.invalid ?? [];
const validCases = keys.flatMap((key) => valid(key).map((value) => ({ key, value })));
const invalidCases = keys.flatMap((key) => invalid(key).map((value) => ({ key, value })));
const defaults = configured({});

describe('configuration', () => {
  it('has a default for every setting', () => {
    expect(defaults).toMatchObject(promised);
    expect(Object.keys(defaults)).toEqual(Object.keys(settings));
  });

  it.each(validCases)('takes $value for $key', ({ key, value }) => {
    const expected = typeof defaults[key] === 'number' ? Number(value) : value;
    const dev = key === 'stage' && value === 'dev' ? { monitoring: 'none' } : {};
    expect(configured({ [key]: value })).toEqual({ ...defaults, ...dev, [key]: expected });
  });

  it.each(settingNames)('takes both ends of %s, and its default', (key) => {
    const { ends, fallback } = settings[key];
    for (const value of [...ends, fallback]) {
      const context = value === undefined ? {} : { [key]: value };
      const dev = value === 'dev' ? { monitoring: 'none' } : {};
      expect(configured(context)).toEqual({ ...defaults, ...dev, [key]: value });
    }
  });

  it.each(settingNames)('refuses what is beyond the ends of %s', (key) => {
    const [least, greatest] = settings[key].ends;
    const beyond = typeof least === 'number' ? [least - 1, Number(greatest) + 1, least + 0.5] : [];
    for (const value of [...beyond, '', null, [least]]) {
      expect(() => configured({ [key]: value })).toThrow(`of ${key} is not allowed`);
    }
  });

  it.each(invalidCases)(
    'refuses $value for $key, naming the key, the value and what is allowed',
    ({ key, value }) => {
      expect(() => configured({ [key]: value })).toThrow(
        `The value ${JSON.stringify(value)} of ${key} is not allowed: it must be ${settings[key].allowed}.`,
      );
    },
  );

  it('takes a time of any offset, as what it is in UTC and whole seconds', () => {
    for (const [given, value] of [
      ['2027-01-31T02:00:00+02:00', '2027-01-31T00:00:00Z'],
      ['2027-01-30T19:30:00-04:30', '2027-01-31T00:00:00Z'],
      ['2027-01-31T00:00:00.999Z', '2027-01-31T00:00:00Z'],
    ]) {
      expect(configured({ v0SunsetAt: given }).v0SunsetAt).toBe(value);
    }
  });

  it.each([
    ['2027-01-31T00:00:00Z', '2027-01-30T00:00:00Z'],
    ['2027-01-31T00:00:00-02:00', '2027-01-31T01:00:00Z'],
  ])('refuses a version that is deprecated at %s and ends at %s', (v0DeprecatedAt, v0SunsetAt) => {
    expect(() => configured({ v0DeprecatedAt, v0SunsetAt })).toThrow(
      /^v0SunsetAt \(.*Z\) must not be earlier than v0DeprecatedAt \(.*Z\): clients need time/,
    );
    expect(() => completeConfiguration({ v0DeprecatedAt, v0SunsetAt })).toThrow(ConfigurationError);
  });

  it('refuses somebody to notify without alarms, and takes them in dev with monitoring', () => {
    const alarmEmail = 'alarms@example.com';
    expect(() => configured({ stage: 'dev', alarmEmail })).toThrow(
      'The setting alarmEmail does nothing with monitoring=none, which is without alarms: give monitoring=full',
    );
    expect(configured({ stage: 'dev', monitoring: 'full', alarmEmail }).monitoring).toBe('full');
  });

  it('names each rule that a base URL breaks', () => {
    for (const rule of [
      'https',
      'lower-case ASCII',
      'user',
      'default port (443)',
      'path',
      'query',
      'fragment',
    ]) {
      expect(settings.baseUrl.allowed).toContain(rule);
    }
  });

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

  it('warns of a key that looks like a setting and is none', () => {
    const context = {
      ...withoutBundling,
      '@aws-cdk/core:target-partitions': ['aws'],
      'cli-telemetry': false,
    };
    const warnings = (more: Readonly<Record<string, unknown>>) =>
      Annotations.fromStack(
        createApp({ context: { ...context, ...more }, builtinCloudFormationValidation: false }).stack,
      ).findWarning('*', Match.anyValue());
    expect(warnings({})).toEqual([]);
    expect(warnings({ retention: 30 }).map(({ entry }) => entry.data)).toEqual([
      expect.stringContaining('There is no setting retention: it was ignored.'),
    ]);
  });
});

describe('settings that an app passes', () => {
  it('are completed with the defaults', () => {
    const { stage: _, monitoring: _full, ...defaults } = configured({});
    expect(completeConfiguration({})).toEqual(configured({}));
    expect(completeConfiguration({ stage: 'dev' })).toEqual({
      stage: 'dev',
      monitoring: 'none',
      ...defaults,
    });
  });

  it('may be what a configuration gives for the defaults', () => {
    expect(completeConfiguration(configured({}))).toEqual(configured({}));
  });

  const refusalOf = (act: () => unknown) => {
    try {
      return act();
    } catch (error) {
      return error;
    }
  };

  it.each(
    Object.entries(cases).flatMap(([name, { invalid }]) => invalid.map((value) => [name, value] as const)),
  )('are refused in the same words as those of the context: %s = %j', (name, value) => {
    const refusal = refusalOf(() => completeConfiguration({ [name]: value }));
    expect(refusal).toBeInstanceOf(ConfigurationError);
    expect(refusal).toEqual(refusalOf(() => configured({ [name]: value })));
  });

  it('are refused when they are misspelled, or not there', () => {
    const misspelled = { tokenLifetimeSecond: 60 };
    expect(refusalOf(() => completeConfiguration(misspelled as object))).toEqual(
      refusalOf(() => configured(misspelled)),
    );
    expect(() => completeConfiguration({ colour: 'green' } as object)).toThrow(
      'The setting colour does not exist. The settings are: stage, tokenLifetimeSeconds, ',
    );
  });
});

describe('a topic for alarms', () => {
  const alarmTopicArn = 'arn:aws:sns:eu-central-1:123456789012:alarms';

  it('may be given to a stack of its Region, and to one that is for any Region', () => {
    expect(() => requireTopicOf('eu-central-1', { alarmTopicArn })).not.toThrow();
    expect(() => requireTopicOf(undefined, { alarmTopicArn })).not.toThrow();
    expect(() => requireTopicOf('us-east-1', { alarmTopicArn: undefined })).not.toThrow();
  });

  it('of another Region is refused, because an alarm could not notify it', () => {
    const make = () =>
      new FileSyncStack(new App({ context: { ...withoutBundling } }), 'Other', {
        env: { account: '123456789012', region: 'us-east-1' },
        configuration: { alarmTopicArn },
      });
    expect(make).toThrow(ConfigurationError);
    expect(make).toThrow(/is in eu-central-1, but the stack is in us-east-1.*give a topic of that Region/);
  });
});
