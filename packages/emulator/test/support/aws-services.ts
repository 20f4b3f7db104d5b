import { join } from 'node:path';
import * as v from 'valibot';
import { openCredentialIssuer } from '../../authentication/credentials.ts';
import { type AwsServices, type AwsServicesOptions, startAwsServices } from '../../aws-services.ts';
import { openAwsServer } from '../../endpoint/aws-server.ts';
import type { InvokeFunction } from '../../lambda/invoke.ts';
import { createAccess } from '../../policies.ts';
import { resourceTypes } from '../../resource-types.ts';
import type { StackIdentity } from '../../shared/names.ts';
import type { Resource } from '../../shared/resource-type.ts';
import { atEnd } from './at-end.ts';
import { temporaryFolder } from './temporary-folder.ts';

export const stack: StackIdentity = {
  stackName: 'test',
  region: 'us-east-1',
  accountId: '000000000000',
  partition: 'aws',
  urlSuffix: 'amazonaws.com',
};

/** Makes a resource as the template's reader hands it over: named, and checked against its type's schema. */
export function resource(logicalId: string, type: string, properties: unknown): Resource {
  const known = resourceTypes[type];
  if (known === undefined) {
    throw new Error(`no resource type ${type}`);
  }
  const attributes = Object.entries(known.attributes).map(([name, of]) => [name, of(logicalId, stack)]);
  return {
    logicalId,
    type,
    ref: known.ref(logicalId, stack),
    attributes: Object.fromEntries(attributes),
    properties: v.parse(known.properties, properties),
  };
}

/**
 * A table whose key is `id`.
 *
 * @param indexNames names of indexes, and the attribute that each is by. They have all attributes, or the keys only
 */
export function table(
  indexNames: Readonly<Record<string, string>> = {},
  {
    logicalId = 'Table',
    key = 'id',
    keysOnly = '',
    ...more
  }: Readonly<Record<string, unknown>> & TableNames = {},
): Resource {
  const indexes = Object.entries(indexNames).map(([IndexName, AttributeName]) => ({
    IndexName,
    KeySchema: [{ AttributeName, KeyType: 'HASH' }],
    Projection: { ProjectionType: IndexName === keysOnly ? 'KEYS_ONLY' : 'ALL' },
  }));
  const names = new Set([key, ...Object.values(indexNames)]);
  return resource(logicalId, 'AWS::DynamoDB::Table', {
    AttributeDefinitions: [...names].map((AttributeName) => ({ AttributeName, AttributeType: 'S' })),
    KeySchema: [{ AttributeName: key, KeyType: 'HASH' }],
    ...(indexes.length > 0 ? { GlobalSecondaryIndexes: indexes } : {}),
    BillingMode: 'PAY_PER_REQUEST',
    ...more,
  });
}

interface TableNames {
  readonly logicalId?: string;
  readonly key?: string;
  readonly keysOnly?: string;
}

/** A function of the template, as far as events care. */
export const lambda = (logicalId: string, properties: Record<string, unknown> = {}) =>
  resource(logicalId, 'AWS::Lambda::Function', {
    Code: { S3Bucket: 'assets', S3Key: 'asset.zip' },
    Handler: 'index.handler',
    Role: roleArnOf('Role'),
    Runtime: 'nodejs24.x',
    ...properties,
  });

/** Lets a service invoke a function. */
export const permission = (functionId: string, Principal: string, source: Record<string, string>) =>
  resource(`${functionId}Permission`, 'AWS::Lambda::Permission', {
    Action: 'lambda:InvokeFunction',
    FunctionName: functionArn(functionId),
    Principal,
    ...source,
  });

/** Lets EventBridge send to a queue for one rule. */
export const queueFor = (queueId: string, ruleArn: string) =>
  resource(`${queueId}Policy`, 'AWS::SQS::QueuePolicy', {
    Queues: [`https://sqs.us-east-1.amazonaws.com/000000000000/test-${queueId}`],
    PolicyDocument: policy({
      ...allow('sqs:SendMessage', `arn:aws:sqs:us-east-1:000000000000:test-${queueId}`),
      Principal: { Service: 'events.amazonaws.com' },
      Condition: { ArnEquals: { 'aws:SourceArn': ruleArn } },
    }),
  });

export function functionArn(logicalId: string): string {
  return `arn:aws:lambda:us-east-1:000000000000:function:${stack.stackName}-${logicalId}`;
}

export function policy(...statements: Record<string, unknown>[]): unknown {
  return { Version: '2012-10-17', Statement: statements };
}

/** A key for secrets, which the account looks after, and which a role may use for them. */
export function secretKey(role: string): Resource {
  const root = { Effect: 'Allow', Principal: { AWS: 'arn:aws:iam::000000000000:root' }, Resource: '*' };
  const Action = ['kms:Decrypt', 'kms:GenerateDataKey'];
  const whenMade = { 'kms:EncryptionContext:SecretVersionId': 'RequestToValidateKeyAccess' };
  const whenUsed = { 'kms:ViaService': 'secretsmanager.us-east-1.amazonaws.com' };
  return resource('Key', 'AWS::KMS::Key', {
    KeyPolicy: policy(
      { ...root, Action: 'kms:PutKeyPolicy' },
      { ...root, Action, Condition: { StringEquals: whenMade } },
      { ...root, Action, Condition: { StringEquals: whenUsed }, Principal: { AWS: roleArnOf(role) } },
    ),
  });
}

export const trustOfLambda = policy({
  Effect: 'Allow',
  Action: 'sts:AssumeRole',
  Principal: { Service: 'lambda.amazonaws.com' },
});

/** A statement that allows something on a resource. */
export const allow = (Action: string | readonly string[], Resource: string) => ({
  Effect: 'Allow',
  Action,
  Resource,
});

/** A bucket that keeps versions, which is named `test-bucket`. */
export const bucketWith = (properties: Record<string, unknown> = {}) =>
  resource('Bucket', 'AWS::S3::Bucket', { VersioningConfiguration: { Status: 'Enabled' }, ...properties });

/** A role that a function has, with these statements as its own policy. */
export function functionRole(logicalId: string, ...statements: Record<string, unknown>[]): Resource[] {
  return [
    resource(logicalId, 'AWS::IAM::Role', { AssumeRolePolicyDocument: trustOfLambda }),
    resource(`${logicalId}Policy`, 'AWS::IAM::Policy', {
      PolicyName: `${logicalId}Policy`,
      PolicyDocument: policy(...statements),
      Roles: [`${stack.stackName}-${logicalId}`],
    }),
  ];
}

export function roleArnOf(logicalId: string): string {
  return `arn:aws:iam::000000000000:role/${stack.stackName}-${logicalId}`;
}

const noFunction: InvokeFunction = async (name) => {
  throw new Error(`no function ${name}`);
};

/** What a test can say about a start: everything else has a default. */
export type AwsRunOptions = Partial<AwsServicesOptions> & {
  /** Default 0: the system chooses. */
  readonly port?: number;
  /** What every function does. By default there are no functions. */
  readonly invoke?: InvokeFunction;
};

/** Starts the AWS endpoints of some resources by themselves: without a template, and with a function of the test. */
export async function startAws(
  options: AwsRunOptions & Pick<AwsServicesOptions, 'stateDirectory' | 'resources'>,
): Promise<AwsServices> {
  const { stateDirectory, resources, port = 0, log = () => undefined, invoke = noFunction } = options;
  const server = await openAwsServer(port);
  const nothing = async () => undefined;
  try {
    return await startAwsServices({
      server,
      ...createAccess(resources, stack, log),
      credentials: await openCredentialIssuer(stateDirectory),
      functions: { invoke, endIdle: nothing, close: nothing },
      now: () => new Date(),
      log,
      disk: { noteFailure: () => undefined },
      onCall: () => undefined,
      logDirectory: join(stateDirectory, 'logs'),
      notificationsFile: join(stateDirectory, 'notifications.jsonl'),
      eventBackoff: { firstMilliseconds: 5, maxMilliseconds: 20 },
      ...options,
    });
  } catch (error) {
    await server.close();
    throw error;
  }
}

/** Starts on one state folder, one after another, as a process that is restarted would make them. */
export type AwsRuns = Awaited<ReturnType<typeof prepareRuns>>;

/** They end with the test that asks for them, or with the file. */
export async function prepareRuns(resources: readonly Resource[]) {
  const stateDirectory = await temporaryFolder();
  const running: AwsServices[] = [];
  const end = () => Promise.all(running.map((aws) => aws.close().catch(() => undefined)));
  atEnd(end);
  return {
    stateDirectory,
    start: async (options: AwsRunOptions = {}) => {
      const aws = await startAws({ stateDirectory, resources, ...options });
      running.push(aws);
      return aws;
    },
    end,
  };
}

/** A query of the table `test-Table` by an index: the items in which an attribute has a value. */
export function byIndex(IndexName: string, name: string, value: string) {
  return {
    TableName: 'test-Table',
    IndexName,
    KeyConditionExpression: '#name = :value',
    ExpressionAttributeNames: { '#name': name },
    ExpressionAttributeValues: { ':value': { S: value } },
  };
}

/** What every SDK client here is configured with. */
export function clientFor(aws: AwsServices, credentials = aws.operatorCredentials) {
  return { endpoint: aws.endpoint, region: stack.region, credentials, maxAttempts: 1 };
}
