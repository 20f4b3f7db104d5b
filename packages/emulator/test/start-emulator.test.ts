import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { PutObjectCommand, S3Client } from '@aws-sdk/client-s3';
import { describe, expect, it } from 'vitest';
import { readAssembly } from '../cloudformation/assembly.ts';
import { PortTaken, takePorts } from '../ports.ts';
import type { LogLine } from '../shared/log.ts';
import { startEmulator } from '../start-emulator.ts';
import { atEnd } from './support/at-end.ts';
import { policy, resource, trustOfLambda } from './support/aws-services.ts';
import { temporaryFolder } from './support/temporary-folder.ts';

/** A whole cloud assembly, as small as it can be: an API, its function, and a bucket. */
const template = {
  Resources: {
    Bucket: {
      Type: 'AWS::S3::Bucket',
      Properties: { VersioningConfiguration: { Status: 'Enabled' } },
    },
    Role: {
      Type: 'AWS::IAM::Role',
      Properties: {
        AssumeRolePolicyDocument: trustOfLambda,
        ManagedPolicyArns: ['arn:aws:iam::aws:policy/service-role/AWSLambdaBasicExecutionRole'],
      },
    },
    Count: {
      Type: 'AWS::Lambda::Function',
      Properties: {
        Code: { S3Bucket: 'assets', S3Key: 'count.zip' },
        Handler: 'index.handler',
        Role: { 'Fn::GetAtt': ['Role', 'Arn'] },
        Runtime: 'nodejs24.x',
      },
    },
    Permission: {
      Type: 'AWS::Lambda::Permission',
      Properties: {
        Action: 'lambda:InvokeFunction',
        FunctionName: { 'Fn::GetAtt': ['Count', 'Arn'] },
        Principal: 'apigateway.amazonaws.com',
      },
    },
    Api: { Type: 'AWS::ApiGatewayV2::Api', Properties: { Name: 'Api', ProtocolType: 'HTTP' } },
    Stage: {
      Type: 'AWS::ApiGatewayV2::Stage',
      Properties: {
        ApiId: { Ref: 'Api' },
        StageName: '$default',
        AutoDeploy: true,
        AccessLogSettings: {
          DestinationArn: { 'Fn::GetAtt': ['AccessLog', 'Arn'] },
          Format: '{"route":"$context.routeKey","status":"$context.status"}',
        },
      },
    },
    AccessLog: { Type: 'AWS::Logs::LogGroup', Properties: {} },
    Served: {
      Type: 'AWS::Logs::MetricFilter',
      Properties: {
        LogGroupName: { Ref: 'AccessLog' },
        FilterPattern: '{ $.status = "200" }',
        MetricTransformations: [{ MetricNamespace: 'Small', MetricName: 'Served', MetricValue: '1' }],
      },
    },
    Popular: {
      Type: 'AWS::CloudWatch::Alarm',
      Properties: {
        Metrics: [
          {
            Id: 'served',
            MetricStat: { Metric: { Namespace: 'Small', MetricName: 'Served' }, Period: 60, Stat: 'Sum' },
            ReturnData: false,
          },
          { Id: 'expression', Expression: 'FILL(served, 0)' },
        ],
        EvaluationPeriods: 1,
        Threshold: 1,
        ComparisonOperator: 'GreaterThanOrEqualToThreshold',
        TreatMissingData: 'notBreaching',
      },
    },
    Integration: {
      Type: 'AWS::ApiGatewayV2::Integration',
      Properties: {
        ApiId: { Ref: 'Api' },
        IntegrationType: 'AWS_PROXY',
        IntegrationUri: { 'Fn::GetAtt': ['Count', 'Arn'] },
        PayloadFormatVersion: '2.0',
      },
    },
    Route: {
      Type: 'AWS::ApiGatewayV2::Route',
      Properties: {
        ApiId: { Ref: 'Api' },
        RouteKey: 'GET /count',
        Target: { 'Fn::Join': ['/', ['integrations', { Ref: 'Integration' }]] },
      },
    },
  },
  Outputs: { BucketName: { Value: { Ref: 'Bucket' } } },
};

/** Counts its invocations, and knows the endpoint and the time. */
const bundle = `let count = 0;
export const handler = async () => {
  const body = { count: (count += 1), endpoint: process.env.AWS_ENDPOINT_URL, time: Date.now() };
  return { statusCode: 200, body: JSON.stringify(body) };
};`;

const directory = await temporaryFolder();
const awsLog: LogLine[] = [];
const raised: string[] = [];

function writeAssembly(): string {
  const assembly = join(directory, 'cdk.out');
  mkdirSync(join(assembly, 'asset'), { recursive: true });
  const write = (name: string, content: unknown) =>
    writeFileSync(join(assembly, name), JSON.stringify(content));
  writeFileSync(join(assembly, 'asset', 'index.mjs'), bundle);
  write('template.json', template);
  write('assets.json', {
    files: { one: { source: { path: 'asset' }, destinations: { here: { objectKey: 'count.zip' } } } },
  });
  write('manifest.json', {
    artifacts: {
      small: { type: 'aws:cloudformation:stack', properties: { templateFile: 'template.json' } },
      assets: { type: 'cdk:asset-manifest', properties: { file: 'assets.json' } },
    },
  });
  return assembly;
}

const emulator = await startEmulator(readAssembly(writeAssembly()), {
  ports: await takePorts({ api: 0, aws: 0 }),
  stateDirectory: join(directory, 'state'),
  onAwsLog: (line) => awsLog.push(line),
  onAlarm: ({ alarm, to }) => raised.push(`${alarm} ${to}`),
});
atEnd(emulator.close);

async function count(): Promise<unknown> {
  return (await fetch(`${emulator.baseUrl}/count`)).json();
}

describe('an emulator', () => {
  it('serves the API of the assembly, whose functions know the AWS endpoints', async () => {
    const endpoint = emulator.awsEndpoint;
    expect(await count()).toEqual({ count: 1, endpoint, time: expect.any(Number) });
    expect(await count()).toEqual({ count: 2, endpoint, time: expect.any(Number) });
  });

  it('starts a function again with empty caches', async () => {
    await count();
    await emulator.cool(['small-Count']);
    expect(await count()).toMatchObject({ count: 1 });
  });

  it('serves the AWS endpoints to the operator, with the names of the outputs', async () => {
    const { awsEndpoint: endpoint, operatorCredentials: credentials, outputs, stack } = emulator;
    const s3 = new S3Client({ endpoint, credentials, region: stack.region });
    const put = new PutObjectCommand({ Bucket: outputs.BucketName, Key: 'key', Body: 'content' });
    expect(await s3.send(put)).toMatchObject({ VersionId: expect.any(String) });
  });

  it('decides by other policies from the moment that it is given them', async () => {
    const put = {
      principal: { kind: 'operator' },
      action: 's3:PutObject',
      resource: 'arn:aws:s3:::small-bucket/key',
    } as const;
    const denied = resource('Deny', 'AWS::S3::BucketPolicy', {
      Bucket: 'small-bucket',
      PolicyDocument: policy({ Effect: 'Deny', Principal: '*', Action: 's3:*', Resource: '*' }),
    });
    expect(emulator.authorize(put).allowed).toBe(true);
    emulator.usePolicies([...emulator.resources, denied]);
    expect(emulator.authorize(put).allowed).toBe(false);
    expect(awsLog).toContainEqual(
      expect.objectContaining({ message: 'access denied', action: 's3:PutObject' }),
    );
    emulator.usePolicies(emulator.resources);
    expect(emulator.authorize(put).allowed).toBe(true);
  });

  it('writes its access log, makes metrics of it, and evaluates the alarms on them', async () => {
    await count();
    const log = join(directory, 'state', 'logs', 'access.log');
    await expect.poll(() => readFileSync(log, 'utf8')).toMatch(/^\{"route":"GET \/count","status":"200"\}$/m);
    await expect
      .poll(async () => {
        await emulator.evaluateAlarms(new Date());
        return raised;
      })
      .toContain('small-Popular ALARM');
  });
});

describe('its ports', () => {
  it('are taken before it starts, and refused by name when another program has them', async () => {
    const taken = new URL(emulator.awsEndpoint);
    const wanted = takePorts({ api: 0, aws: Number(taken.port) });
    await expect(wanted).rejects.toThrow(new PortTaken('aws', Number(taken.port)));
  });

  it('are free again when it cannot start', async () => {
    const ports = await takePorts({ api: 0, aws: 0 });
    const unknown = { Resources: { Cache: { Type: 'AWS::ElastiCache::CacheCluster' } } };
    const assembly = { stackName: 'unknown', template: unknown, assetDirectory: () => directory };
    const start = startEmulator(assembly, { ports, stateDirectory: join(directory, 'unknown') });
    await expect(start).rejects.toThrow(/Cache \(AWS::ElastiCache::CacheCluster\)/);
    const again = await takePorts({ api: ports.gateway.port, aws: Number(new URL(ports.aws.endpoint).port) });
    await again.close();
  });
});
