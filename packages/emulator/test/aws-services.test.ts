import {
  ConditionalCheckFailedException,
  DynamoDBClient,
  GetItemCommand,
  PutItemCommand,
  QueryCommand,
  TransactWriteItemsCommand,
  UpdateItemCommand,
} from '@aws-sdk/client-dynamodb';
import { InvokeCommand, LambdaClient } from '@aws-sdk/client-lambda';
import {
  DescribeSecretCommand,
  GetSecretValueCommand,
  PutSecretValueCommand,
  SecretsManagerClient,
} from '@aws-sdk/client-secrets-manager';
import {
  DeleteMessageCommand,
  GetQueueAttributesCommand,
  ReceiveMessageCommand,
  SendMessageCommand,
  SQSClient,
} from '@aws-sdk/client-sqs';
import { GetCallerIdentityCommand, STSClient } from '@aws-sdk/client-sts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { AwsServices } from '../aws-services.ts';
import {
  type AwsRuns,
  clientFor,
  functionRole,
  policy,
  prepareRuns,
  resource,
  roleArnOf,
} from './support/aws-services.ts';

const table = {
  AttributeDefinitions: [
    { AttributeName: 'id', AttributeType: 'S' },
    { AttributeName: 'owner', AttributeType: 'S' },
  ],
  KeySchema: [{ AttributeName: 'id', KeyType: 'HASH' }],
  GlobalSecondaryIndexes: [
    {
      IndexName: 'by-owner',
      KeySchema: [
        { AttributeName: 'owner', KeyType: 'HASH' },
        { AttributeName: 'id', KeyType: 'RANGE' },
      ],
      Projection: { ProjectionType: 'ALL' },
    },
  ],
  BillingMode: 'PAY_PER_REQUEST',
};
const tableArn = 'arn:aws:dynamodb:us-east-1:000000000000:table/test-Table';
const privateSecret = resource('Private', 'AWS::SecretsManager::Secret', {
  KmsKeyId: resource('Key', 'AWS::KMS::Key', { KeyPolicy: policy() }).attributes.Arn,
  SecretString: 'private value',
});
const viaSecretsManager = { StringEquals: { 'kms:ViaService': 'secretsmanager.us-east-1.amazonaws.com' } };
const resources = [
  resource('Table', 'AWS::DynamoDB::Table', table),
  resource('Key', 'AWS::KMS::Key', {
    KeyPolicy: policy(
      {
        Effect: 'Allow',
        Principal: { AWS: roleArnOf('Token') },
        Action: 'kms:Decrypt',
        Resource: '*',
        Condition: viaSecretsManager,
      },
      {
        Effect: 'Allow',
        Principal: { AWS: 'arn:aws:iam::000000000000:root' },
        Action: ['kms:DescribeKey', 'kms:PutKeyPolicy'],
        Resource: '*',
      },
      {
        Effect: 'Allow',
        Principal: { AWS: 'arn:aws:iam::000000000000:root' },
        Action: ['kms:Decrypt', 'kms:GenerateDataKey'],
        Resource: '*',
        Condition: {
          StringEquals: { 'kms:EncryptionContext:SecretVersionId': 'RequestToValidateKeyAccess' },
        },
      },
    ),
  }),
  privateSecret,
  resource('Public', 'AWS::SecretsManager::Secret', {}),
  resource('Letters', 'AWS::SQS::Queue', {}),
  ...functionRole('Token', {
    Effect: 'Allow',
    Action: ['secretsmanager:GetSecretValue', 'secretsmanager:PutSecretValue'],
    Resource: privateSecret.ref,
  }),
  ...functionRole('Other', {
    Effect: 'Allow',
    Action: 'secretsmanager:GetSecretValue',
    Resource: privateSecret.ref,
  }),
  ...functionRole('Files', {
    Effect: 'Allow',
    Action: ['dynamodb:GetItem', 'dynamodb:Query'],
    Resource: tableArn,
  }),
];

let runs: AwsRuns;
let aws: AwsServices;
const lines: Record<string, unknown>[] = [];

beforeAll(async () => {
  runs = await prepareRuns(resources);
  aws = await runs.start({
    log: (line) => lines.push({ ...line }),
    invoke: async (name, payload) => {
      if (name === 'test-Echo') {
        return { ok: true, payload };
      }
      if (name === 'test-Broken') {
        return { ok: false, error: { errorType: 'Error', errorMessage: 'broken' } };
      }
      throw new Error('no such function');
    },
  });
});
afterAll(() => runs.end());

function asRole(name: string) {
  return clientFor(aws, aws.credentialsForRole(roleArnOf(name), name.toLowerCase()));
}

describe('DynamoDB', () => {
  it('stores, updates under a condition, and queries an index', async () => {
    const dynamodb = new DynamoDBClient(clientFor(aws));
    const Item = { id: { S: 'a' }, owner: { S: 'acme' }, n: { N: '1' } };
    await dynamodb.send(new PutItemCommand({ TableName: 'test-Table', Item }));
    const update = new UpdateItemCommand({
      TableName: 'test-Table',
      Key: { id: { S: 'a' } },
      UpdateExpression: 'SET n = :two',
      ConditionExpression: 'n = :one',
      ExpressionAttributeValues: { ':one': { N: '1' }, ':two': { N: '2' } },
    });
    await dynamodb.send(update);
    await expect(dynamodb.send(update)).rejects.toBeInstanceOf(ConditionalCheckFailedException);
    const { Items } = await dynamodb.send(
      new QueryCommand({
        TableName: 'test-Table',
        IndexName: 'by-owner',
        KeyConditionExpression: '#o = :o',
        ExpressionAttributeNames: { '#o': 'owner' },
        ExpressionAttributeValues: { ':o': { S: 'acme' } },
      }),
    );
    expect(Items).toEqual([{ ...Item, n: { N: '2' } }]);
    dynamodb.destroy();
  });

  it('refuses what it cannot do as AWS does, instead of leaving it out', async () => {
    const dynamodb = new DynamoDBClient(clientFor(aws));
    const transaction = new TransactWriteItemsCommand({
      TransactItems: [{ Put: { TableName: 'test-Table', Item: { id: { S: 'b' } } } }],
    });
    await expect(dynamodb.send(transaction)).rejects.toMatchObject({ name: 'UnknownOperationException' });
    const put = new PutItemCommand({
      TableName: 'test-Table',
      Item: { id: { S: 'b' } },
      ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
    });
    await expect(dynamodb.send(put)).rejects.toMatchObject({ name: 'ValidationException' });
    dynamodb.destroy();
  });

  it('lets a role do what its policy says, on the table and not on its index', async () => {
    const dynamodb = new DynamoDBClient(asRole('Files'));
    const Key = { id: { S: 'a' } };
    await dynamodb.send(new GetItemCommand({ TableName: 'test-Table', Key }));
    const put = new PutItemCommand({ TableName: 'test-Table', Item: Key });
    await expect(dynamodb.send(put)).rejects.toMatchObject({ name: 'AccessDeniedException' });
    const query = new QueryCommand({
      TableName: 'test-Table',
      IndexName: 'by-owner',
      KeyConditionExpression: 'id = :o',
      ExpressionAttributeValues: { ':o': { S: 'acme' } },
    });
    await expect(dynamodb.send(query)).rejects.toMatchObject({ name: 'AccessDeniedException' });
    expect(lines).toContainEqual(
      expect.objectContaining({
        message: 'access denied',
        role: 'test-Files',
        session: 'files',
        action: 'dynamodb:Query',
        resource: `${tableArn}/index/by-owner`,
      }),
    );
    dynamodb.destroy();
  });
});

describe('signatures of service requests', () => {
  it('are required, complete and right', async () => {
    const wrong = new DynamoDBClient(
      clientFor(aws, { ...aws.operatorCredentials, secretAccessKey: 'wrong' }),
    );
    const nobody = new DynamoDBClient(clientFor(aws, { accessKeyId: 'AKIANOBODY', secretAccessKey: 'x' }));
    const get = () => new GetItemCommand({ TableName: 'test-Table', Key: { id: { S: 'a' } } });
    await expect(wrong.send(get())).rejects.toMatchObject({ name: 'InvalidSignatureException' });
    await expect(nobody.send(get())).rejects.toMatchObject({ name: 'UnrecognizedClientException' });
    const headers = {
      'x-amz-target': 'DynamoDB_20120810.GetItem',
      'content-type': 'application/x-amz-json-1.0',
    };
    const unsigned = await fetch(aws.endpoint, { method: 'POST', headers, body: '{}' });
    expect(unsigned.status).toBe(400);
    expect(await unsigned.json()).toMatchObject({
      __type: expect.stringMatching(/MissingAuthenticationTokenException$/),
    });
    wrong.destroy();
    nobody.destroy();
  });

  it('are refused under the names of the query protocol, where STS speaks it', async () => {
    const outcome = async (credentials: typeof aws.operatorCredentials) => {
      const sts = new STSClient(clientFor(aws, credentials));
      const call = sts.send(new GetCallerIdentityCommand({}));
      return call
        .then(
          ({ Arn }) => Arn,
          ({ name }: Error) => name,
        )
        .finally(() => sts.destroy());
    };
    const { operatorCredentials: known } = aws;
    expect(await outcome({ ...known, accessKeyId: 'AKIAUNKNOWN' })).toBe('InvalidClientTokenId');
    expect(await outcome({ ...known, secretAccessKey: 'wrong' })).toBe('SignatureDoesNotMatch');
    expect(await outcome(aws.credentialsForRole(roleArnOf('Files'), 'files'))).toBe(
      'arn:aws:sts::000000000000:assumed-role/test-Files/files',
    );
  });

  it('cover the session token', async () => {
    const { sessionToken: _, ...withoutToken } = aws.credentialsForRole(roleArnOf('Files'), 'files');
    const dynamodb = new DynamoDBClient(clientFor(aws, withoutToken));
    const get = new GetItemCommand({ TableName: 'test-Table', Key: { id: { S: 'a' } } });
    await expect(dynamodb.send(get)).rejects.toMatchObject({ name: 'UnrecognizedClientException' });
    dynamodb.destroy();
  });
});

describe('a secret', () => {
  it('is not for a role whose policy does not name it', async () => {
    const secretsManager = new SecretsManagerClient(asRole('Files'));
    const denied = { name: 'AccessDeniedException', message: expect.stringContaining('secretsmanager:') };
    const at = { SecretId: 'test-Public' };
    await expect(secretsManager.send(new GetSecretValueCommand(at))).rejects.toMatchObject(denied);
    await expect(secretsManager.send(new DescribeSecretCommand(at))).rejects.toMatchObject(denied);
    const put = new PutSecretValueCommand({ ...at, SecretString: 'new' });
    await expect(secretsManager.send(put)).rejects.toMatchObject(denied);
    secretsManager.destroy();
  });
});

describe('secrets under a customer-managed key', () => {
  const get = () => new GetSecretValueCommand({ SecretId: privateSecret.ref });

  it('are read by who may use the key as well', async () => {
    const [token, other] = [
      new SecretsManagerClient(asRole('Token')),
      new SecretsManagerClient(asRole('Other')),
    ];
    expect((await token.send(get())).SecretString).toBe('private value');
    await expect(other.send(get())).rejects.toMatchObject({
      name: 'AccessDeniedException',
      message: 'Access to KMS is not allowed',
    });
    token.destroy();
    other.destroy();
  });
});

describe('SQS', () => {
  it('sends, receives once and deletes, with the checksums that the SDK checks', async () => {
    const sqs = new SQSClient({ ...clientFor(aws), useQueueUrlAsEndpoint: false });
    const QueueUrl = 'https://sqs.us-east-1.amazonaws.com/000000000000/test-Letters';
    await sqs.send(new SendMessageCommand({ QueueUrl, MessageBody: '{"a":"ä"}' }));
    const { Messages = [] } = await sqs.send(
      new ReceiveMessageCommand({ QueueUrl, MaxNumberOfMessages: 10 }),
    );
    expect(Messages.map(({ Body }) => Body)).toEqual(['{"a":"ä"}']);
    expect((await sqs.send(new ReceiveMessageCommand({ QueueUrl }))).Messages).toBeUndefined();
    await sqs.send(new DeleteMessageCommand({ QueueUrl, ReceiptHandle: Messages[0]?.ReceiptHandle }));
    const { Attributes } = await sqs.send(
      new GetQueueAttributesCommand({ QueueUrl, AttributeNames: ['All'] }),
    );
    expect(Attributes).toMatchObject({
      ApproximateNumberOfMessages: '0',
      ApproximateNumberOfMessagesNotVisible: '0',
    });
    sqs.destroy();
  });
});

describe('Lambda', () => {
  it('invokes and hands back what the function returned, or its error', async () => {
    const lambda = new LambdaClient(clientFor(aws));
    const call = (name: string) =>
      lambda.send(new InvokeCommand({ FunctionName: name, Payload: Buffer.from('{"a":1}') }));
    const echo = await call('test-Echo');
    const broken = await call('test-Broken');
    expect([echo.FunctionError, echo.Payload?.transformToString()]).toEqual([undefined, '{"a":1}']);
    expect(broken.FunctionError).toBe('Unhandled');
    expect(JSON.parse(broken.Payload?.transformToString() ?? '')).toMatchObject({ errorMessage: 'broken' });
    lambda.destroy();
  });

  it('is not for a role without the permission', async () => {
    const lambda = new LambdaClient(asRole('Files'));
    const call = lambda.send(new InvokeCommand({ FunctionName: 'test-Echo' }));
    await expect(call).rejects.toMatchObject({ name: 'AccessDeniedException' });
    lambda.destroy();
  });
});
