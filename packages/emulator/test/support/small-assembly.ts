import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { trustOfLambda } from './aws-services.ts';

const resource = (Type: string, Properties: object = {}) => ({ Type, Properties });
const arn = (id: string) => ({ 'Fn::GetAtt': [id, 'Arn'] });
const ref = (id: string) => ({ Ref: id });

/** An API with its function, a bucket, and an alarm on the access log of the API. */
const template = {
  Resources: {
    Bucket: resource('AWS::S3::Bucket', { VersioningConfiguration: { Status: 'Enabled' } }),
    Role: resource('AWS::IAM::Role', {
      AssumeRolePolicyDocument: trustOfLambda,
      ManagedPolicyArns: ['arn:aws:iam::aws:policy/service-role/AWSLambdaBasicExecutionRole'],
    }),
    Count: resource('AWS::Lambda::Function', {
      Code: { S3Bucket: 'assets', S3Key: 'count.zip' },
      Handler: 'index.handler',
      Role: arn('Role'),
      Runtime: 'nodejs24.x',
    }),
    Permission: resource('AWS::Lambda::Permission', {
      Action: 'lambda:InvokeFunction',
      FunctionName: arn('Count'),
      Principal: 'apigateway.amazonaws.com',
    }),
    Api: resource('AWS::ApiGatewayV2::Api', { Name: 'Api', ProtocolType: 'HTTP' }),
    Stage: resource('AWS::ApiGatewayV2::Stage', {
      ApiId: ref('Api'),
      StageName: '$default',
      AutoDeploy: true,
      AccessLogSettings: {
        DestinationArn: arn('AccessLog'),
        Format: '{"route":"$context.routeKey","status":"$context.status"}',
      },
    }),
    AccessLog: resource('AWS::Logs::LogGroup'),
    Served: resource('AWS::Logs::MetricFilter', {
      LogGroupName: ref('AccessLog'),
      FilterPattern: '{ $.status = "200" }',
      MetricTransformations: [{ MetricNamespace: 'Small', MetricName: 'Served', MetricValue: '1' }],
    }),
    Popular: resource('AWS::CloudWatch::Alarm', {
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
    }),
    Integration: resource('AWS::ApiGatewayV2::Integration', {
      ApiId: ref('Api'),
      IntegrationType: 'AWS_PROXY',
      IntegrationUri: arn('Count'),
      PayloadFormatVersion: '2.0',
    }),
    Route: resource('AWS::ApiGatewayV2::Route', {
      ApiId: ref('Api'),
      RouteKey: 'GET /count',
      Target: { 'Fn::Join': ['/', ['integrations', ref('Integration')]] },
    }),
  },
  Outputs: { BucketName: { Value: ref('Bucket') } },
};

/** Returns the number of its invocations, and the endpoint of AWS. */
const bundle = `let count = 0;
export const handler = async () => {
  const body = { count: (count += 1), endpoint: process.env.AWS_ENDPOINT_URL };
  return { statusCode: 200, body: JSON.stringify(body) };
};`;

/** Writes a complete, minimal cloud assembly with the stack `small`. */
export function writeSmallAssembly(directory: string): void {
  mkdirSync(join(directory, 'asset'), { recursive: true });
  const write = (name: string, content: unknown) =>
    writeFileSync(join(directory, name), JSON.stringify(content));
  writeFileSync(join(directory, 'asset', 'index.mjs'), bundle);
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
}
