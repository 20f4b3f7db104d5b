import { App, type Environment } from 'aws-cdk-lib';
import { RetentionDays } from 'aws-cdk-lib/aws-logs';
import { ArtifactMetadataEntryType } from 'aws-cdk-lib/cloud-assembly-schema';
import { ConfigurationError, completeConfiguration, readConfiguration } from '../../lib/configuration.ts';
import { createApp } from '../../lib/file-sync-app.ts';
import { FileSyncStack } from '../../lib/file-sync-stack.ts';
import { type SettingName, settingNames, settings } from '../../lib/settings.ts';
import { everySetting, withoutBundling } from '../support/synthesized.ts';

const configured = (context: Readonly<Record<string, unknown>>) =>
  readConfiguration(new App({ context: { ...context } }).node);

interface Row {
  readonly fallback: unknown;
  /** From the minimum to the maximum. */
  readonly takes: readonly unknown[];
  readonly rejects: readonly unknown[];
}

const times: Row = {
  fallback: undefined,
  takes: ['1999-12-31T23:59:59Z', '2028-02-29T00:00:00Z'],
  // Not a time, or an ambiguous one: without an offset, or on a day that does not exist.
  rejects: ['2027-01-31T00:00:00', '2027-02-29T00:00:00Z', 'tomorrow', 1_801_389_600],
};
const limits: Omit<Row, 'fallback'> = { takes: ['1', 100_000], rejects: ['0', 100_001] };

/** Each setting: its default, and accepted and rejected values, as text and as JSON. */
const rows: { readonly [Name in SettingName]: Row } = {
  stage: { fallback: 'prod', takes: ['prod', 'dev'], rejects: ['production', 'DEV', 1] },
  tokenLifetimeSeconds: {
    fallback: 3600,
    takes: ['300', 86_400],
    rejects: ['299', '86401', '300.5', ' 300', '0x12c', 300.5, true],
  },
  signingAlgorithm: {
    fallback: 'ES256',
    takes: ['ES256', 'RS256'],
    rejects: ['HS256', 'none', 'es256'],
  },
  baseUrl: {
    fallback: undefined,
    takes: ['http://127.0.0.1:3000', 'http://[::1]:3000', 'https://a.example:8443'],
    rejects: [
      'http://a.example',
      'https://a.example/',
      'https://A.example',
      'https://xn--a.example',
      'a.example',
      'ftp://127.0.0.1',
      3000,
    ],
  },
  domainName: {
    fallback: undefined,
    takes: ['files.example.com', 'xn--bcher-kva.example'],
    rejects: ['Files.example.com', 'xn--a.example'],
  },
  certificateArn: {
    fallback: undefined,
    takes: [
      'arn:aws-cn:acm:cn-north-1:123456789012:certificate/a',
      'arn:aws:acm:a-1:123456789012:certificate/b',
    ],
    rejects: ['a', 'arn:aws:iam::123456789012:server-certificate/a', 'arn:aws:acm:a-1:12345:certificate/b'],
  },
  hostedZoneId: {
    fallback: undefined,
    takes: ['Z1', 'Z0123456789ABCDEFGHIJ'],
    rejects: ['/hostedzone/Z0123456789', 'z0123456789', 'Z', `Z${'0'.repeat(32)}`],
  },
  ipAddressType: { fallback: 'ipv4', takes: ['ipv4', 'dualstack'], rejects: ['ipv6', 'dual-stack', true] },
  documentationUrl: {
    fallback: undefined,
    takes: ['https://docs.example.com/files?version=0#start'],
    rejects: ['http://docs.example.com', 'docs.example.com', 'https://xn--a.example', 'https://', 1],
  },
  tokenRateLimit: { fallback: 300, ...limits },
  syncRateLimit: { fallback: 200, ...limits },
  supersededRetentionDays: { fallback: 30, takes: ['1', 3650], rejects: ['0', 3651, '30d'] },
  uploadRecordRetentionDays: {
    fallback: 'forever',
    takes: [30, '3650', 'forever'],
    rejects: ['29', 3651, 'never'],
  },
  logRetentionDays: { fallback: 90, takes: ['1', 365, 3653], rejects: [2, 9999] },
  signingKeyRotationDays: { fallback: 90, takes: ['1', 1000], rejects: ['0', 1001] },
  monitoring: { fallback: 'full', takes: ['none', 'full'], rejects: ['some', true] },
  runbooksUrl: {
    fallback: undefined,
    takes: ['https://wiki.example.com/runbooks?page=1', `https://wiki.example.com/${'a'.repeat(475)}`],
    rejects: [
      'docs/runbooks.md',
      'http://wiki.example.com/',
      'https://wiki.example.com/#top',
      `https://wiki.example.com/${'a'.repeat(476)}`,
    ],
  },
  alarmEmail: {
    fallback: undefined,
    takes: ['A@EXAMPLE.COM', 'on-call+files.prod@alerts.example.co.uk', "o'brien@example.xn--p1ai"],
    rejects: [
      'alarms@example',
      'a..b@example.com',
      '.a@example.com',
      'a@192.0.2.1',
      'a@example..com',
      'a@xn--a.example',
      'alarms@example.com,other@example.com',
      `${'a'.repeat(243)}@example.com`,
    ],
  },
  alarmTopicArn: {
    fallback: undefined,
    takes: ['arn:aws-cn:sns:cn-north-1:123456789012:A_1-b', 'arn:aws:sns:eu-central-1:123456789012:alarms'],
    rejects: [
      'arn:aws:sqs:eu-central-1:123456789012:alarms',
      'arn:aws:sns:eu-central-1:12345:alarms',
      // A FIFO topic, which alarms cannot notify, and a subscription.
      'arn:aws:sns:eu-central-1:123456789012:alarms.fifo',
      'arn:aws:sns:eu-central-1:123456789012:alarms:5f5e5d5c-0000-4000-8000-000000000000',
      `arn:aws:sns:eu-central-1:123456789012:${'a'.repeat(257)}`,
    ],
  },
  contentReaders: {
    fallback: [],
    takes: [
      ['arn:aws-cn:iam::111122223333:role/reader'],
      'arn:aws:iam::111122223333:role/team/a,b,arn:aws:iam::444455556666:role/c@d.e',
    ],
    rejects: [
      'arn:aws:iam::111122223333:root',
      'arn:aws:iam::111122223333:role/*',
      'arn:aws:sts::111122223333:assumed-role/reader/session',
      'arn:aws:iam::111122223333:role/a, arn:aws:iam::111122223333:role/b',
      Array.from({ length: 21 }, (_, index) => `arn:aws:iam::111122223333:role/${index}`),
    ],
  },
  v0DeprecatedAt: times,
  v0SunsetAt: times,
};

/** Returns the result of a call, or the message of its error. */
function outcome(act: () => unknown): unknown {
  try {
    return act();
  } catch (error) {
    return error instanceof ConfigurationError ? error.message : error;
  }
}

describe('settings', () => {
  it('have these defaults', () => {
    const defaults = settingNames.map((name) => [name, rows[name].fallback]);
    expect(Object.entries(configured({}))).toEqual(defaults);
  });

  it('accept valid values, in the context and as properties', () => {
    const wrong = settingNames.flatMap((name) =>
      rows[name].takes.flatMap((value) => {
        const expected = typeof rows[name].fallback === 'number' ? Number(value) : value;
        const read = [configured({ [name]: value }), completeConfiguration({ [name]: value })];
        return read.every((configuration) => String(configuration[name]) === String(expected))
          ? []
          : [[name, value]];
      }),
    );
    expect(wrong).toEqual([]);
  });

  it('reject other values, naming the key, the value and the allowed ones', () => {
    const wrong = settingNames.flatMap((name) =>
      [...rows[name].rejects, '', null].flatMap((value) => {
        const text = `The value ${JSON.stringify(value)} of ${name} is not allowed: it must be ${settings[name].allowed}.`;
        const texts = [
          outcome(() => configured({ [name]: value })),
          outcome(() => completeConfiguration({ [name]: value })),
        ];
        return texts.every((given) => given === text) ? [] : [[name, value, texts]];
      }),
    );
    expect(wrong).toEqual([]);
  });

  it('accept the log retentions of CloudWatch Logs', () => {
    const known = Object.values(RetentionDays).filter((days) => Number(days) < RetentionDays.INFINITE);
    expect(settings.logRetentionDays.allowed).toBe(`one of ${known.join(', ')}`);
  });

  it('accept a time of any offset, and convert it to UTC in whole seconds', () => {
    const given = ['2027-01-31T02:00:00+02:00', '2027-01-30T19:30:00-04:30', '2027-01-31T00:00:00.999Z'];
    const read = given.map((v0SunsetAt) => configured({ v0SunsetAt }).v0SunsetAt);
    expect(read).toEqual(given.map(() => '2027-01-31T00:00:00Z'));
  });

  it('accept an end of v0 at the time of its deprecation', () => {
    const at = '2027-01-31T00:00:00Z';
    expect(configured({ v0DeprecatedAt: at, v0SunsetAt: at })).toMatchObject({ v0SunsetAt: at });
  });

  it('reject an end of v0 that is before its deprecation', () => {
    const end = { v0DeprecatedAt: '2027-01-31T00:00:00-02:00', v0SunsetAt: '2027-01-31T01:00:00Z' };
    expect(() => configured(end)).toThrow(
      /^v0SunsetAt \(.*Z\) must not be earlier than v0DeprecatedAt \(.*Z\): clients need time/,
    );
  });

  it('reject an address to notify without alarms', () => {
    const alarmEmail = 'alarms@example.com';
    expect(configured({ stage: 'dev' }).monitoring).toBe('none');
    expect(() => configured({ stage: 'dev', alarmEmail })).toThrow(
      'The setting alarmEmail does nothing with monitoring=none, which is without alarms: give monitoring=full',
    );
    expect(configured({ stage: 'dev', monitoring: 'full', alarmEmail }).monitoring).toBe('full');
  });

  it('reject a topic of another Region than the stack', () => {
    const alarmTopicArn = 'arn:aws:sns:eu-central-1:123456789012:alarms';
    const make = (env: Environment = {}) =>
      new FileSyncStack(new App({ context: withoutBundling }), 'Files', {
        configuration: { alarmTopicArn },
        env,
      });
    expect(() => make({ region: 'us-east-1' })).toThrow(
      /is in eu-central-1, but the stack is in us-east-1.*give a topic in us-east-1/,
    );
    expect(() => make({ region: 'eu-central-1' })).not.toThrow();
    expect(() => make()).not.toThrow();
  });
});

describe('a key that is no setting', () => {
  it.for([
    ['tokenLifetime', 'tokenLifetimeSeconds'],
    ['stagee', 'stage'],
    ['Stage', 'stage'],
    ['base-url', 'baseUrl'],
    ['signingAlgoritm', 'signingAlgorithm'],
  ] as const)('is rejected when it is almost one: %s', ([key, name]) => {
    const text = `The setting ${key} does not exist: did you mean ${name}?`;
    expect(outcome(() => configured({ [key]: 'x' }))).toBe(text);
    expect(outcome(() => completeConfiguration({ [key]: 'x' }))).toBe(text);
  });

  it('is rejected as a property of the stack in any case', () => {
    expect(() => completeConfiguration({ colour: 'green' } as object)).toThrow(
      'The setting colour does not exist. The settings are: stage, tokenLifetimeSeconds, ',
    );
  });
});

describe('a warning at synthesis', () => {
  const warnings = (context: Readonly<Record<string, unknown>>) =>
    createApp({ context: { ...withoutBundling, ...context } })
      .stack.node.metadata.filter(({ type }) => type === ArtifactMetadataEntryType.WARN)
      .map(({ data }) => String(data));

  it('names a key that looks like a setting and is none', () => {
    expect(warnings({ '@aws-cdk/core:target-partitions': ['aws'], 'cli-telemetry': false })).toEqual([]);
    expect(warnings({ retention: 30 })).toEqual([
      expect.stringContaining('There is no setting retention: it was ignored.'),
    ]);
  });

  it('names an end of v0 that is past', () => {
    expect(warnings({ v0DeprecatedAt: '2020-01-31T00:00:00Z', v0SunsetAt: '2100-01-31T00:00:00Z' })).toEqual([
      expect.stringContaining('The time of v0DeprecatedAt (2020-01-31T00:00:00Z) is past.'),
    ]);
  });

  it.each([
    ['us-east-1', 1],
    ['eu-central-1', 0],
  ])('names a certificate in another Region than that of the CDK: %s', (region, count) => {
    vi.stubEnv('CDK_DEFAULT_REGION', region);
    const { domainName, certificateArn } = everySetting;
    expect(warnings({ domainName, certificateArn })).toHaveLength(count);
  });
});
