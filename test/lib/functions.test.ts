import { readFile } from 'node:fs/promises';
import { type EnvironmentKey, environmentNames } from '../../contract/internal/environment.ts';
import {
  everySetting,
  listed,
  propertiesOf,
  readable,
  resourcesOf,
  synthesized,
} from '../support/synthesized.ts';

interface LambdaFunction {
  readonly Role: unknown;
  readonly Timeout: number;
  readonly MemorySize: number;
  readonly Environment?: { readonly Variables: Readonly<Record<string, unknown>> };
}

function functionsOf(
  context: Readonly<Record<string, unknown>> = {},
): Readonly<Record<string, LambdaFunction>> {
  const functions = resourcesOf(synthesized(context).document, 'AWS::Lambda::Function');
  return Object.fromEntries(
    functions.map(([id, { Properties }]) => [
      id.replace(/Function[0-9A-F]{8}$/, ''),
      Properties as unknown as LambdaFunction,
    ]),
  );
}

const functions = functionsOf();
const { document } = synthesized();

/** Folder of each function in `lambdas/`. */
const folders = {
  Token: 'token',
  Volumes: 'volumes',
  Sync: 'sync',
  WellKnown: 'well-known',
  RotationRotate: 'signing-keys',
  RecorderRecord: 'record-upload',
  ReconcilerReconcile: 'reconcile-uploads',
  ProtectionProtect: 'deletion-protection',
};

function readableVariables(lambda: LambdaFunction | undefined): Readonly<Record<string, string>> {
  const entries = Object.entries(lambda?.Environment?.Variables ?? {});
  return Object.fromEntries(entries.map(([name, value]) => [name, readable(value)]));
}

const v0Told = (name: string) => [
  `${name} V0_DEPRECATED_AT=2037-01-31T00:00:00Z`,
  `${name} V0_SUNSET_AT=2038-01-31T00:00:00Z`,
];

describe('functions', () => {
  it.for(Object.entries(folders))(
    'have exactly the variables that their handler reads: %s',
    async ([name, folder]) => {
      const read = (path: string) => readFile(`lambdas/${path}`, 'utf8');
      const handler = await read(`${folder}/handler.ts`);
      // Functions that record uploads read their variables in a shared module.
      const shared = handler.includes('openRecording(')
        ? await read('shared/recording/open-recording.ts')
        : '';
      const asked = [...`${handler}${shared}`.matchAll(/readEnvironment\(\[([^\]]*)\]/g)].map(
        ([, names]) => names,
      );
      const names = [...asked.join().matchAll(/'(\w+)'/g)].map(
        ([, key]) => environmentNames[key as EnvironmentKey],
      );
      expect(names.length).toBeGreaterThan(0);
      expect(Object.keys(readableVariables(functions[name])).sort()).toEqual(names.sort());
    },
  );

  it('have the settings as variables, and under /v0 the end of v0', () => {
    const configured = Object.entries(functionsOf(everySetting)).flatMap(([name, lambda]) =>
      Object.entries(readableVariables(lambda)).map(([variable, value]) => `${name} ${variable}=${value}`),
    );
    const ofSettings = /(SECONDS|DAYS|_AT|SIGNING_ALGORITHM|DOCUMENTATION_URL)=/;
    expect(configured.filter((line) => ofSettings.test(line)).sort()).toEqual([
      'ReconcilerReconcile UPLOAD_RECORD_RETENTION_DAYS=400',
      'RotationRotate SIGNING_ALGORITHM=RS256',
      'RotationRotate SIGNING_KEY_ROTATION_DAYS=7',
      'RotationRotate TOKEN_LIFETIME_SECONDS=600',
      'Sync UPLOAD_RECORD_RETENTION_DAYS=400',
      ...v0Told('Sync'),
      'Token TOKEN_LIFETIME_SECONDS=600',
      ...v0Told('Volumes'),
      'WellKnown DOCUMENTATION_URL=https://docs.example.com/files',
      ...v0Told('WellKnown'),
    ]);
  });

  it.for(Object.entries(functions))(
    'run on Node.js 24 and ARM, with a log and a role of their own: %s',
    ([name, lambda]) => {
      expect(lambda).toMatchObject({
        Runtime: 'nodejs24.x',
        Architectures: ['arm64'],
        Handler: 'index.handler',
        LoggingConfig: { LogFormat: 'JSON', SystemLogLevel: 'WARN' },
      });
      expect(readable(lambda.Role)).toBe(`<${name}Role.Arn>`);
      const { LoggingConfig } = lambda as unknown as { LoggingConfig: { LogGroup: unknown } };
      expect(readable(LoggingConfig.LogGroup)).toBe(`<${name}Logs>`);
      // A new account can reserve only a few executions.
      expect(lambda).not.toHaveProperty('ReservedConcurrentExecutions');
    },
  );

  it('respond before the timeout of API Gateway after 30 s', () => {
    const timeouts = Object.entries(functions).map(([name, { Timeout }]) => [name, Timeout]);
    expect(Object.fromEntries(timeouts)).toEqual({
      Token: 10,
      Volumes: 10,
      Sync: 10,
      WellKnown: 10,
      // Covers about a minute of retries, and the test of the rotation schedule.
      RotationRotate: 180,
      RecorderRecord: 60,
      // The interval between two runs.
      ReconcilerReconcile: 300,
      ProtectionProtect: 60,
    });
  });
});

describe('record-upload', () => {
  const rules = propertiesOf<{ EventPattern?: { source: unknown }; Targets: readonly object[] }>(
    document,
    'AWS::Events::Rule',
  );
  const [rule, ...others] = rules.filter(({ EventPattern }) =>
    listed(EventPattern?.source ?? []).includes('aws.s3'),
  );

  it('hears of new objects under uploads/ in this bucket, by one rule', () => {
    expect(others).toEqual([]);
    expect(rule?.EventPattern).toEqual({
      source: ['aws.s3'],
      'detail-type': ['Object Created'],
      detail: {
        bucket: { name: [{ Ref: expect.stringMatching(/^UploadsBucket/) }] },
        object: { key: [{ prefix: 'uploads/' }] },
      },
    });
  });

  it('loses no event: retried for a day, then kept in the dead-letter queue', () => {
    const deadLetters = { 'Fn::GetAtt': [expect.stringMatching(/^RecorderDeadLetters/), 'Arn'] };
    expect(rule?.Targets).toEqual([
      expect.objectContaining({
        RetryPolicy: { MaximumEventAgeInSeconds: 86_400, MaximumRetryAttempts: 185 },
        DeadLetterConfig: { Arn: deadLetters },
      }),
    ]);
    expect(functions.RecorderRecord).toMatchObject({ DeadLetterConfig: { TargetArn: deadLetters } });
  });

  it('has an encrypted dead-letter queue that keeps two weeks', () => {
    expect(propertiesOf<object>(document, 'AWS::SQS::Queue')).toEqual([
      { MessageRetentionPeriod: 14 * 24 * 3600, SqsManagedSseEnabled: true },
    ]);
  });
});

it('reconcile-uploads runs every five minutes, and no failed run again', () => {
  const rules = propertiesOf<{ ScheduleExpression?: string; Targets: readonly object[] }>(
    document,
    'AWS::Events::Rule',
  ).filter(({ ScheduleExpression }) => ScheduleExpression === 'rate(5 minutes)');
  const once = { MaximumEventAgeInSeconds: 300, MaximumRetryAttempts: 0 };
  const Arn = { 'Fn::GetAtt': [expect.stringMatching(/^ReconcilerReconcileFunction/), 'Arn'] };
  expect(rules.map(({ Targets }) => Targets)).toEqual([
    [expect.objectContaining({ Arn, RetryPolicy: once })],
  ]);
  const [config, ...others] = propertiesOf<object>(document, 'AWS::Lambda::EventInvokeConfig');
  expect(config).toMatchObject({
    FunctionName: { Ref: expect.stringMatching(/^ReconcilerReconcileFunction/) },
    ...once,
  });
  expect(others).toEqual([]);
});
