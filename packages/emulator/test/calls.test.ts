import {
  DynamoDBClient,
  GetItemCommand,
  PutItemCommand,
  QueryCommand,
  UpdateItemCommand,
} from '@aws-sdk/client-dynamodb';
import { HeadObjectCommand, S3Client } from '@aws-sdk/client-s3';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { AwsServices } from '../aws-services.ts';
import type { AwsCall } from '../calls.ts';
import {
  type AwsRuns,
  clientFor,
  functionRole,
  prepareRuns,
  resource,
  roleArnOf,
} from './support/aws-services.ts';

const resources = [
  resource('Table', 'AWS::DynamoDB::Table', {
    AttributeDefinitions: ['id', 'owner', 'time'].map((name) => ({
      AttributeName: name,
      AttributeType: 'S',
    })),
    KeySchema: [{ AttributeName: 'id', KeyType: 'HASH' }],
    GlobalSecondaryIndexes: [
      {
        IndexName: 'by-owner',
        KeySchema: [{ AttributeName: 'owner', KeyType: 'HASH' }],
        Projection: { ProjectionType: 'KEYS_ONLY' },
      },
      {
        IndexName: 'by-time',
        KeySchema: [{ AttributeName: 'time', KeyType: 'HASH' }],
        Projection: { ProjectionType: 'ALL' },
      },
    ],
    BillingMode: 'PAY_PER_REQUEST',
  }),
  resource('Bucket', 'AWS::S3::Bucket', { VersioningConfiguration: { Status: 'Enabled' } }),
  ...functionRole('Record', {
    Effect: 'Allow',
    Action: 's3:GetObject',
    Resource: 'arn:aws:s3:::test-bucket/*',
  }),
];

let runs: AwsRuns;
let aws: AwsServices;
let calls: AwsCall[] = [];

beforeAll(async () => {
  runs = await prepareRuns(resources);
  aws = await runs.start({ onCall: (call) => calls.push(call) });
});
afterAll(() => runs.end());

it('writes cost a unit for each KB of the item, and of each index whose entry changes', async () => {
  const dynamodb = new DynamoDBClient(clientFor(aws));
  const TableName = 'test-Table';
  const Key = { id: { S: 'a' } };
  const set = (text: string, values: Record<string, { S: string }>, ConditionExpression?: string) =>
    new UpdateItemCommand({
      TableName,
      Key,
      UpdateExpression: text,
      ExpressionAttributeNames: Object.fromEntries(
        (text.match(/#\w+/g) ?? []).map((it) => [it, it.slice(1)]),
      ),
      ExpressionAttributeValues: values,
      ConditionExpression,
    });
  const units = async (send: () => Promise<unknown>) => {
    calls = [];
    await send().catch(() => undefined);
    return calls.map((call) => call.units);
  };
  const put = new PutItemCommand({ TableName, Item: { ...Key, owner: { S: 'acme' } } });
  expect(await units(() => dynamodb.send(put))).toEqual([2]);
  expect(await units(() => dynamodb.send(set('SET #note = :n', { ':n': { S: 'n' } })))).toEqual([1]);
  expect(await units(() => dynamodb.send(set('SET #time = :t', { ':t': { S: '1' } })))).toEqual([2]);
  expect(await units(() => dynamodb.send(set('SET #time = :t', { ':t': { S: '2' } })))).toEqual([3]);
  const large = { ':n': { S: 'n'.repeat(2000) } };
  expect(await units(() => dynamodb.send(set('SET #note = :n', large)))).toEqual([4]);
  const refused = set('SET #note = :n', { ':n': { S: 'n' } }, '#note = :n');
  expect(await units(() => dynamodb.send(refused))).toEqual([1]);
  expect(await units(() => dynamodb.send(new GetItemCommand({ TableName, Key })))).toEqual([0.5]);
  const query = new QueryCommand({
    TableName,
    IndexName: 'by-owner',
    KeyConditionExpression: '#o = :o',
    ExpressionAttributeNames: { '#o': 'owner' },
    ExpressionAttributeValues: { ':o': { S: 'acme' } },
  });
  expect(await units(() => dynamodb.send(query))).toEqual([0.5]);
  dynamodb.destroy();
});

it('calls are told with the session that made them, and by the name of the API reference', async () => {
  const record = clientFor(aws, aws.credentialsForRole(roleArnOf('Record'), 'test-Record'));
  const s3 = new S3Client(record);
  calls = [];
  const head = s3.send(new HeadObjectCommand({ Bucket: 'test-bucket', Key: 'never-put' }));
  // S3 says that there is no such key to those who may list the bucket.
  await expect(head).rejects.toMatchObject({ $metadata: { httpStatusCode: 403 } });
  expect(calls).toEqual([{ service: 's3', operation: 'HeadObject', caller: 'test-Record' }]);
  s3.destroy();
});
