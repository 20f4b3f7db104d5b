import type { RecordedService } from '../recordings/recording.ts';
import { sendCall, sendPresigned } from '../recordings/send.ts';
import { bucketWith, prepareRuns, resource, table } from '../support/aws-services.ts';

const secret = resource('Secret', 'AWS::SecretsManager::Secret', { SecretString: 'x' });
const queue = resource('Queue', 'AWS::SQS::Queue', {});
const runs = await prepareRuns([bucketWith(), table(), queue, secret]);
const aws = await runs.start();

const item = { TableName: 'test-Table', Key: { id: { S: 'x' } } };
const put = { TableName: 'test-Table', Item: { id: { S: 'x' } } };
const object = { Bucket: 'test-bucket', Key: 'object' };
const metric = { Metric: { MetricName: 'x', Namespace: 'x' }, Period: 60, Stat: 'Sum', Unit: 'Count' };
const metrics = {
  StartTime: new Date(0),
  EndTime: new Date(60_000),
  MetricDataQueries: [{ Id: 'x', MetricStat: metric }],
};
const entry = { Source: 'test', DetailType: 'Test', Detail: '{}', Resources: ['x'] };
const logs = { logGroupName: 'x', filterPattern: 'x', startTime: 0, endTime: 1, interleaved: true };

test.for<[RecordedService, call: string, name: string, object]>([
  ['cloudformation', 'DescribeStacks', 'NextToken', { StackName: 'test', NextToken: 'x' }],
  ['cloudwatch', 'GetMetricData', 'MetricDataQueries.0.MetricStat.Unit', metrics],
  [
    'dynamodb',
    'BatchGetItem',
    'AttributesToGet',
    { RequestItems: { x: { Keys: [], AttributesToGet: ['x'] } } },
  ],
  ['dynamodb', 'CreateTable', 'LocalSecondaryIndexes', { TableName: 'x', LocalSecondaryIndexes: [] }],
  ['dynamodb', 'CreateTable', 'ProvisionedThroughput', { TableName: 'x', ProvisionedThroughput: {} }],
  ['dynamodb', 'DeleteItem', 'Expected', { ...item, Expected: {} }],
  ['dynamodb', 'GetItem', 'ReturnConsumedCapacity', { ...item, ReturnConsumedCapacity: 'TOTAL' }],
  ['dynamodb', 'PutItem', 'ConditionalOperator', { ...put, ConditionalOperator: 'AND' }],
  ['dynamodb', 'PutItem', 'ReturnItemCollectionMetrics', { ...put, ReturnItemCollectionMetrics: 'SIZE' }],
  ['dynamodb', 'Query', 'KeyConditions', { TableName: 'test-Table', KeyConditions: {} }],
  ['dynamodb', 'Query', 'QueryFilter', { TableName: 'test-Table', QueryFilter: {} }],
  ['dynamodb', 'Scan', 'ScanFilter', { TableName: 'test-Table', ScanFilter: {} }],
  ['dynamodb', 'UpdateItem', 'AttributeUpdates', { ...item, AttributeUpdates: {} }],
  ['dynamodb', 'UpdateTable', 'BillingMode', { TableName: 'test-Table', BillingMode: 'PROVISIONED' }],
  ['eventbridge', 'PutEvents', 'Entries.0.Resources', { Entries: [entry] }],
  ['lambda', 'Invoke', 'x-amz-invocation-type: Event', { FunctionName: 'x', InvocationType: 'Event' }],
  ['lambda', 'Invoke', 'x-amz-log-type', { FunctionName: 'x', LogType: 'Tail' }],
  ['lambda', 'Invoke', 'Qualifier', { FunctionName: 'x', Qualifier: '1' }],
  ['logs', 'FilterLogEvents', 'interleaved', logs],
  ['s3', 'GetObject', 'range', { ...object, Range: 'bytes=0-1' }],
  ['s3', 'ListObjectsV2', 'delimiter', { Bucket: 'test-bucket', Delimiter: '/' }],
  ['s3', 'PutObject', 'x-amz-checksum-crc32', { ...object, Body: 'x', ChecksumCRC32: 'AAAAAA==' }],
  [
    'secrets-manager',
    'PutSecretValue',
    'SecretBinary',
    { SecretId: secret.ref, SecretBinary: Buffer.from('x') },
  ],
  ['sqs', 'PurgeQueue', 'the operation PurgeQueue', { QueueUrl: 'test-Queue' }],
  [
    'sqs',
    'ReceiveMessage',
    'MessageAttributeNames',
    { QueueUrl: 'test-Queue', MessageAttributeNames: ['All'] },
  ],
  ['sts', 'AssumeRole', 'ExternalId', { RoleArn: 'x', RoleSessionName: 'x', ExternalId: 'x' }],
])('%s %s rejects by name %s', async ([service, call, name, input]) => {
  const { status, message, members } = await sendCall(aws, service, { call, input: { ...input } });
  expect([status, `${message} ${JSON.stringify(members)}`]).toEqual([501, expect.stringContaining(name)]);
});

test.for(['x-amz-acl', 'x-amz-checksum-crc32', 'x-amz-meta-a'])(
  'an upload URL rejects by name the parameter %s',
  async (name) => {
    const response = await sendPresigned(aws, { key: 'object', query: { [name]: 'x' } });
    expect(response).toMatchObject({ status: 501, members: { Header: name } });
  },
);
