import type { RecordedService } from '../recordings/recording.ts';

/** An operation that the emulator has. */
export interface KnownOperation {
  /** The least that a request must have. */
  readonly request: Readonly<Record<string, unknown>>;
  /** The members of the input that the emulator honours: `Entries.Source` is in each item of the list `Entries`. */
  readonly honours: readonly string[];
  /** Values of members that cannot be any text. */
  readonly values?: Readonly<Record<string, unknown>>;
  /** The members that the SDK does not send, and why. */
  readonly unsent?: Readonly<Record<string, string>>;
}

/** The headers of PutObject that the emulator honours in the query of a presigned URL. */
export const honouredInUploadUrls: readonly string[] = ['If-Match', 'If-None-Match', 'x-amz-tagging'];

const object = { Bucket: 'test-bucket', Key: 'object' };
const queue = { QueueUrl: 'https://sqs.us-east-1.amazonaws.com/000000000000/test-Queue' };
const secret = { SecretId: 'test-Secret' };

const item = { TableName: 'test-Table', Key: { id: { S: 'x' } } };
const expressions = ['ExpressionAttributeNames', 'ExpressionAttributeValues'];
const written = ['TableName', 'ConditionExpression', 'ReturnValues', ...expressions];
const readOne = ['TableName', 'ConsistentRead', 'ProjectionExpression'];
const listed = [
  ...readOne,
  ...expressions,
  'ExclusiveStartKey',
  'FilterExpression',
  'IndexName',
  'Limit',
  'Select',
];

/** By service and operation. The emulator refuses every other member by its name. */
export const knownOperations: Readonly<Record<RecordedService, Readonly<Record<string, KnownOperation>>>> = {
  cloudwatch: {
    DescribeAlarms: { request: {}, honours: ['AlarmNames'] },
    GetMetricData: {
      request: {
        StartTime: new Date(0),
        EndTime: new Date(60_000),
        MetricDataQueries: [
          { Id: 'x', MetricStat: { Metric: { MetricName: 'x', Namespace: 'x' }, Period: 60, Stat: 'Sum' } },
        ],
      },
      honours: [
        'EndTime',
        'MetricDataQueries',
        'MetricDataQueries.Id',
        'MetricDataQueries.MetricStat',
        'MetricDataQueries.MetricStat.Metric',
        'MetricDataQueries.MetricStat.Metric.Dimensions',
        'MetricDataQueries.MetricStat.Metric.Dimensions.Name',
        'MetricDataQueries.MetricStat.Metric.Dimensions.Value',
        'MetricDataQueries.MetricStat.Metric.MetricName',
        'MetricDataQueries.MetricStat.Metric.Namespace',
        'MetricDataQueries.MetricStat.Period',
        'MetricDataQueries.MetricStat.Stat',
        'MetricDataQueries.MetricStat.Unit',
        'StartTime',
      ],
    },
  },
  dynamodb: {
    BatchGetItem: {
      request: { RequestItems: { 'test-Table': { Keys: [{ id: { S: 'x' } }] } } },
      honours: [
        'RequestItems',
        'RequestItems.ConsistentRead',
        'RequestItems.ExpressionAttributeNames',
        'RequestItems.Keys',
        'RequestItems.ProjectionExpression',
      ],
    },
    CreateTable: {
      request: { TableName: 'test-New' },
      honours: [
        'AttributeDefinitions',
        'AttributeDefinitions.AttributeName',
        'AttributeDefinitions.AttributeType',
        'BillingMode',
        'GlobalSecondaryIndexes',
        'GlobalSecondaryIndexes.IndexName',
        'GlobalSecondaryIndexes.KeySchema',
        'GlobalSecondaryIndexes.KeySchema.AttributeName',
        'GlobalSecondaryIndexes.KeySchema.KeyType',
        'GlobalSecondaryIndexes.Projection',
        'GlobalSecondaryIndexes.Projection.NonKeyAttributes',
        'GlobalSecondaryIndexes.Projection.ProjectionType',
        'KeySchema',
        'KeySchema.AttributeName',
        'KeySchema.KeyType',
        'TableName',
      ],
    },
    DeleteItem: { request: item, honours: [...written, 'Key'] },
    DescribeTable: { request: { TableName: 'test-Table' }, honours: ['TableName'] },
    GetItem: { request: item, honours: [...readOne, 'ExpressionAttributeNames', 'Key'] },
    PutItem: {
      request: { TableName: 'test-Table', Item: { id: { S: 'x' } } },
      honours: [...written, 'Item'],
    },
    Query: {
      request: { TableName: 'test-Table' },
      honours: [...listed, 'KeyConditionExpression', 'ScanIndexForward'],
    },
    Scan: { request: { TableName: 'test-Table' }, honours: [...listed, 'Segment', 'TotalSegments'] },
    UpdateItem: { request: item, honours: [...written, 'Key', 'UpdateExpression'] },
    UpdateTable: {
      request: { TableName: 'test-Table' },
      honours: ['DeletionProtectionEnabled', 'TableName'],
    },
  },
  eventbridge: {
    PutEvents: {
      request: { Entries: [{ Source: 'test', DetailType: 'Test', Detail: '{}' }] },
      honours: [
        'Entries',
        'Entries.Detail',
        'Entries.DetailType',
        'Entries.EventBusName',
        'Entries.Source',
        'Entries.Time',
      ],
      unsent: { EndpointId: 'The SDK signs for an endpoint with a native module only, which is not here.' },
    },
  },
  lambda: {
    // Of InvocationType only the default.
    Invoke: { request: { FunctionName: 'unknown' }, honours: ['FunctionName', 'Payload'] },
  },
  logs: {
    FilterLogEvents: {
      request: { logGroupName: 'unknown', filterPattern: '{ $.a = "b" }', startTime: 0, endTime: 1 },
      honours: ['endTime', 'filterPattern', 'limit', 'logGroupName', 'nextToken', 'startTime'],
    },
  },
  s3: {
    DeleteObject: { request: object, honours: ['Bucket', 'Key', 'VersionId'] },
    GetObject: { request: object, honours: ['Bucket', 'ChecksumMode', 'Key', 'VersionId'] },
    GetObjectTagging: { request: object, honours: ['Bucket', 'Key', 'VersionId'] },
    HeadObject: { request: object, honours: ['Bucket', 'ChecksumMode', 'Key', 'VersionId'] },
    PutObject: {
      request: { ...object, Body: 'x' },
      honours: [
        'Body',
        'Bucket',
        'CacheControl',
        'ChecksumAlgorithm',
        'ChecksumCRC32',
        'ContentDisposition',
        'ContentEncoding',
        'ContentLanguage',
        'ContentLength',
        'ContentMD5',
        'ContentType',
        'Expires',
        'IfMatch',
        'IfNoneMatch',
        'Key',
        'Tagging',
      ],
      values: { ChecksumAlgorithm: 'CRC32', IfNoneMatch: '*' },
    },
  },
  'secrets-manager': {
    DescribeSecret: { request: secret, honours: ['SecretId'] },
    GetSecretValue: { request: secret, honours: ['SecretId', 'VersionId', 'VersionStage'] },
    PutSecretValue: {
      request: { ...secret, SecretString: 'x' },
      honours: ['SecretId', 'ClientRequestToken', 'SecretString', 'VersionStages'],
    },
    RotateSecret: {
      request: secret,
      honours: [
        'SecretId',
        'ClientRequestToken',
        'RotateImmediately',
        'RotationLambdaARN',
        'RotationRules',
        'RotationRules.AutomaticallyAfterDays',
      ],
    },
    UpdateSecretVersionStage: {
      request: { ...secret, VersionStage: 'x' },
      honours: ['SecretId', 'MoveToVersionId', 'RemoveFromVersionId', 'VersionStage'],
    },
  },
  sqs: {
    ChangeMessageVisibility: {
      request: { ...queue, ReceiptHandle: 'x', VisibilityTimeout: 1 },
      honours: ['QueueUrl', 'ReceiptHandle', 'VisibilityTimeout'],
    },
    DeleteMessage: { request: { ...queue, ReceiptHandle: 'x' }, honours: ['QueueUrl', 'ReceiptHandle'] },
    GetQueueAttributes: {
      request: queue,
      honours: ['QueueUrl', 'AttributeNames'],
      values: { AttributeNames: ['ApproximateNumberOfMessages'] },
    },
    ReceiveMessage: {
      request: queue,
      honours: [
        'QueueUrl',
        'MaxNumberOfMessages',
        'MessageAttributeNames',
        'VisibilityTimeout',
        'WaitTimeSeconds',
      ],
    },
    SendMessage: { request: { ...queue, MessageBody: 'x' }, honours: ['QueueUrl', 'MessageBody'] },
  },
  sts: {
    AssumeRole: {
      request: { RoleArn: 'arn:aws:iam::000000000000:role/test-Role', RoleSessionName: 'xx' },
      honours: ['DurationSeconds', 'Policy', 'RoleArn', 'RoleSessionName'],
    },
    GetCallerIdentity: { request: {}, honours: [] },
  },
};
