import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { loadTemplate } from '../../../emulator/cloudformation/load-template.ts';
import type { MetricData } from '../../../emulator/cloudwatch/metric-store.ts';
import { createFunctions, type Functions } from '../../../emulator/lambda/functions.ts';
import { chooseVersion, readVersions } from '../../../emulator/lambda/versions.ts';
import { resourceTypes } from '../../../emulator/resource-types.ts';
import { untoldDiskTrouble } from '../../../emulator/shared/disk-trouble.ts';
import { lambda, resource, stack } from '../support/aws-services.ts';

const arn = 'arn:aws:lambda:us-east-1:000000000000:function:test-Fn';
const first = resource('First', 'AWS::Lambda::Version', { FunctionName: 'test-Fn' });
const second = resource('Second', 'AWS::Lambda::Version', { FunctionName: 'test-Fn' });
const numberOf = (version: typeof first) => version.attributes.Version ?? '';

function alias(properties: Readonly<Record<string, unknown>> = {}) {
  return resource('Live', 'AWS::Lambda::Alias', {
    FunctionName: 'test-Fn',
    Name: 'live',
    FunctionVersion: numberOf(first),
    ...properties,
  });
}

function shifting(FunctionWeight: number) {
  const AdditionalVersionWeights = [{ FunctionVersion: numberOf(second), FunctionWeight }];
  return { RoutingConfig: { AdditionalVersionWeights } };
}

describe('versions and aliases in a template', () => {
  const FunctionName = { Ref: 'Fn' };
  const Version = { 'Fn::GetAtt': ['First', 'Version'] };
  const named = { FunctionName, Name: 'live', FunctionVersion: Version };
  const load = (aliasResource: object) =>
    loadTemplate(
      {
        Resources: {
          Live: { Type: 'AWS::Lambda::Alias', ...aliasResource },
          First: { Type: 'AWS::Lambda::Version', Properties: { FunctionName } },
          Fn: {
            Type: 'AWS::Lambda::Function',
            Properties: {
              Code: { S3Bucket: 'b', S3Key: 'k' },
              Handler: 'index.handler',
              Role: 'r',
              Runtime: 'nodejs24.x',
            },
          },
          Application: { Type: 'AWS::CodeDeploy::Application', Properties: { ComputePlatform: 'Lambda' } },
        },
        Outputs: { Alias: { Value: { Ref: 'Live' } }, Version: { Value: { Ref: 'First' } } },
      },
      resourceTypes,
      stack,
    );
  const policy = {
    CodeDeployLambdaAliasUpdate: { ApplicationName: { Ref: 'Application' }, DeploymentGroupName: 'group' },
  };

  it('are named by the ARN of the function, with a qualifier', () => {
    const { outputs } = load({ Properties: named });
    expect(outputs).toEqual({ Alias: `${arn}:live`, Version: `${arn}:${numberOf(first)}` });
    expect(numberOf(first)).toMatch(/^[1-9]\d*$/);
    expect(numberOf(first)).not.toBe(numberOf(second));
  });

  it('wait for what their update policy names', () => {
    const { resources } = load({ Properties: named, UpdatePolicy: policy });
    const ids = resources.map(({ logicalId }) => logicalId);
    expect(ids.indexOf('Live')).toBe(3);
    expect(resources[3]?.updatePolicy?.CodeDeployLambdaAliasUpdate.ApplicationName).toBe('test-Application');
  });

  it.each([
    [
      'a property',
      { Properties: { ...named, ProvisionedConcurrencyConfig: {} } },
      /ProvisionedConcurrencyConfig/,
    ],
    [
      'an update policy',
      { Properties: named, UpdatePolicy: { AutoScalingRollingUpdate: {} } },
      /update policy/,
    ],
    ['a number as a name', { Properties: { ...named, Name: '12' } }, /not a name of an alias/],
    ['a name that is no text', { Properties: { ...named, Name: ['live'] } }, /Name must be a text/],
  ])('stop the start with %s that the emulator does not know', (_, properties, message) => {
    expect(() => load(properties)).toThrow(message);
  });
});

describe('what a qualifier stands for', () => {
  const read = (...resources: (typeof first)[]) => readVersions('test-Fn', [lambda('Fn'), ...resources]);

  it('is the function itself, a version by its number, and what an alias points to', () => {
    const { versions, qualifiers } = read(first, second, alias(shifting(0.1)));
    expect(versions).toEqual(['$LATEST', numberOf(first), numberOf(second)]);
    expect(Object.fromEntries(qualifiers)).toEqual({
      $LATEST: [{ version: '$LATEST', share: 1 }],
      [numberOf(first)]: [{ version: numberOf(first), share: 1 }],
      [numberOf(second)]: [{ version: numberOf(second), share: 1 }],
      live: [
        { version: numberOf(first), share: 0.9 },
        { version: numberOf(second), share: 0.1 },
      ],
    });
  });

  it('is nothing of another function', () => {
    const other = resource('Other', 'AWS::Lambda::Version', { FunctionName: 'test-Other' });
    expect(read(other).versions).toEqual(['$LATEST']);
  });

  it('gives an additional version its share of the invocations', () => {
    const shares = [
      { version: '1', share: 0.9 },
      { version: '2', share: 0.1 },
    ];
    expect([0, 0.05, 0.099].map((random) => chooseVersion(shares, () => random))).toEqual(['2', '2', '2']);
    expect([0.1, 0.5, 0.999].map((random) => chooseVersion(shares, () => random))).toEqual(['1', '1', '1']);
  });

  it.each([
    ['a version that is not there', [alias({ FunctionVersion: '5' })], /Live .*the version 5/],
    ['an additional version that is not there', [first, alias(shifting(0.1))], /Live .*does not have/],
    [
      'an additional version beside the function itself',
      [first, second, alias({ FunctionVersion: '$LATEST', ...shifting(0.1) })],
      /Live .*cannot have an additional version/,
    ],
  ])('may not be %s', (_, resources, message) => {
    expect(() => read(...resources)).toThrow(message);
  });
});

describe('a function with versions', () => {
  let directory: string;
  let functions: Functions;
  const metrics: MetricData[] = [];

  beforeAll(() => {
    directory = mkdtempSync(join(tmpdir(), 'emulator-versions-'));
    writeFileSync(
      join(directory, 'index.mjs'),
      `import { threadId } from 'node:worker_threads';
       export const handler = async (_, { functionVersion, invokedFunctionArn }) =>
         ({ functionVersion, invokedFunctionArn, told: process.env.AWS_LAMBDA_FUNCTION_VERSION, threadId });`,
    );
    functions = createFunctions({
      disk: untoldDiskTrouble,
      resources: [lambda('Fn', { MemorySize: 128, Timeout: 30 }), first, second, alias()],
      stack,
      assetDirectory: () => directory,
      awsEndpoint: 'http://127.0.0.1:1',
      credentialsForRole: () => ({ accessKeyId: 'a', secretAccessKey: 'b' }),
      mayWriteLogs: () => true,
      onTraced: () => undefined,
      stateDirectory: directory,
      logDirectory: directory,
      onError: () => undefined,
      recordMetric: (data) => metrics.push(data),
      log: () => undefined,
      reservedConcurrency: () => 1,
    });
  });

  afterAll(async () => {
    await functions.close();
    rmSync(directory, { recursive: true, force: true });
  });

  const invoke = async (qualifier = '') => {
    const result = await functions.invoke(`test-Fn${qualifier}`, {});
    return result.ok ? (result.payload as Record<string, unknown>) : result.error;
  };

  it.each([
    ['itself', '', '$LATEST', arn],
    ['the newest code', ':$LATEST', '$LATEST', `${arn}:$LATEST`],
    ['an alias', ':live', numberOf(first), `${arn}:live`],
    ['a version', `:${numberOf(second)}`, numberOf(second), `${arn}:${numberOf(second)}`],
  ])('is told which version runs, and by which ARN it was invoked: %s', async (_, qualifier, version, by) => {
    const told = { functionVersion: version, told: version, invokedFunctionArn: by };
    expect(await invoke(qualifier)).toMatchObject(told);
    expect(await functions.invoke(`test-Fn${qualifier}`, {})).toMatchObject(
      version === '$LATEST' ? { ok: true } : { ok: true, executedVersion: version },
    );
  });

  it('runs each version in workers of its own, whatever it is invoked by', async () => {
    const ids: unknown[] = [];
    // One after another, because one invocation may run at a time.
    for (const qualifier of ['', ':$LATEST', ':live', `:${numberOf(first)}`, `:${numberOf(second)}`]) {
      const told = await invoke(qualifier);
      ids.push('threadId' in told && told.threadId);
    }
    const [latest, also, live, byNumber, other] = ids;
    expect(also).toBe(latest);
    expect(byNumber).toBe(live);
    expect(new Set([latest, live, other]).size).toBe(3);
  });

  it('shares its concurrency between its versions', async () => {
    const results = await Promise.all([invoke(':live'), invoke()]);
    expect(results).toContainEqual({ errorType: 'TooManyRequestsException', errorMessage: 'Rate Exceeded.' });
  });

  it('is measured by alias and version', async () => {
    metrics.length = 0;
    await invoke(':live');
    const errors = metrics.filter(({ name }) => name === 'Errors').map(({ dimensions }) => dimensions);
    expect(errors).toEqual([
      { FunctionName: 'test-Fn' },
      {},
      { FunctionName: 'test-Fn', Resource: 'test-Fn:live' },
      { FunctionName: 'test-Fn', Resource: 'test-Fn:live', ExecutedVersion: numberOf(first) },
    ]);
  });

  it('has no other aliases', async () => {
    await expect(functions.invoke('test-Fn:absent', {})).rejects.toThrow(
      'Function not found: test-Fn:absent',
    );
  });
});
