import { join } from 'node:path';
import * as v from 'valibot';
import { openCredentialIssuer } from '../../authentication/credentials.ts';
import { openAwsServer } from '../../endpoint/aws-server.ts';
import type { InvokeFunction } from '../../lambda/invoke.ts';
import { type RunningServices, type ServicesOptions, startServices } from '../../running-services.ts';
import { createAccess, resourceTypes } from '../../services.ts';
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

/** Creates a resource as the template's reader does: named, and checked against its type's schema. */
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
 * Creates a table with the key `id`.
 *
 * @param indexNames names of indexes, with the key attribute of each. They project all attributes, or the
 * keys only
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

/** Creates a function of the template with the properties that events need. */
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

/** Creates a key for secrets, which the account administers and a role may use. */
export function secretKey(role: string): Resource {
  const root = { Effect: 'Allow', Principal: { AWS: 'arn:aws:iam::000000000000:root' }, Resource: '*' };
  const Action = ['kms:Decrypt', 'kms:GenerateDataKey'];
  const whenCreated = { 'kms:EncryptionContext:SecretVersionId': 'RequestToValidateKeyAccess' };
  const whenUsed = { 'kms:ViaService': 'secretsmanager.us-east-1.amazonaws.com' };
  return resource('Key', 'AWS::KMS::Key', {
    KeyPolicy: policy(
      { ...root, Action: 'kms:PutKeyPolicy' },
      { ...root, Action, Condition: { StringEquals: whenCreated } },
      { ...root, Action, Condition: { StringEquals: whenUsed }, Principal: { AWS: roleArnOf(role) } },
    ),
  });
}

export const trustOfLambda = policy({
  Effect: 'Allow',
  Action: 'sts:AssumeRole',
  Principal: { Service: 'lambda.amazonaws.com' },
});

/** Creates a statement that allows an action on a resource. */
export const allow = (Action: string | readonly string[], Resource: string) => ({
  Effect: 'Allow',
  Action,
  Resource,
});

/** Creates a versioned bucket, named `test-bucket`. */
export const bucketWith = (properties: Record<string, unknown> = {}) =>
  resource('Bucket', 'AWS::S3::Bucket', { VersioningConfiguration: { Status: 'Enabled' }, ...properties });

/** Creates a role for functions, with these statements as its own policy. */
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

/** Creates a role that functions with the role `Sync` assume for PUTs to the bucket `test-bucket`. */
export const uploadSigner = (statement: Record<string, unknown>) => [
  ...functionRole('Sync', allow('sts:AssumeRole', roleArnOf('Signer'))),
  resource('Signer', 'AWS::IAM::Role', {
    AssumeRolePolicyDocument: policy({
      Effect: 'Allow',
      Action: 'sts:AssumeRole',
      Principal: { AWS: roleArnOf('Sync') },
    }),
    Policies: [{ PolicyName: 'put', PolicyDocument: policy(statement) }],
  }),
];

const noFunction: InvokeFunction = async (name) => {
  throw new Error(`no function ${name}`);
};

/** Options of a start, all with defaults. */
export type AwsRunOptions = Partial<ServicesOptions> & {
  /** Behaviour of every function. By default there are no functions. */
  readonly invoke?: InvokeFunction;
};

/** Starts the AWS endpoints of some resources, without a template and with a function of the test. */
export async function startAws(
  options: AwsRunOptions & Pick<ServicesOptions, 'stateDirectory' | 'resources'>,
): Promise<RunningServices> {
  const { stateDirectory, resources, log = () => undefined, invoke = noFunction } = options;
  const server = await openAwsServer(0);
  const nothing = async () => undefined;
  try {
    return await startServices({
      server,
      ...createAccess(resources, stack, log),
      credentials: await openCredentialIssuer(stateDirectory),
      functions: { invoke, endIdleEnvironments: nothing, close: nothing },
      now: () => new Date(),
      log,
      disk: { reportFailure: () => undefined },
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

/** Several starts on one state folder, one after another, like restarts of a process. */
export type AwsRuns = Awaited<ReturnType<typeof prepareRuns>>;

/** Prepares the starts. They end at the end of the test that calls this function, or of the file. */
export async function prepareRuns(resources: readonly Resource[]) {
  const stateDirectory = await temporaryFolder();
  const running: RunningServices[] = [];
  atEnd(() => Promise.all(running.map((aws) => aws.close().catch(() => undefined))));
  return {
    stateDirectory,
    start: async (options: AwsRunOptions = {}) => {
      const aws = await startAws({ stateDirectory, resources, ...options });
      running.push(aws);
      return aws;
    },
  };
}

/** Queries an index of the table `test-Table`: the items with a certain value of an attribute. */
export function byIndex(IndexName: string, name: string, value: string) {
  return {
    TableName: 'test-Table',
    IndexName,
    KeyConditionExpression: '#name = :value',
    ExpressionAttributeNames: { '#name': name },
    ExpressionAttributeValues: { ':value': { S: value } },
  };
}

/** Configuration of all SDK clients. */
export function clientFor(aws: RunningServices, credentials = aws.operatorCredentials) {
  return { endpoint: aws.endpoint, region: stack.region, credentials, maxAttempts: 1 };
}
