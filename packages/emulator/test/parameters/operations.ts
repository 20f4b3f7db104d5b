import type { RecordedService } from '../recordings/recording.ts';

/** An operation that the emulator has. */
export interface KnownOperation {
  /** The least that a request must have. */
  readonly request: Readonly<Record<string, unknown>>;
  /** The members of the input that the emulator honours: `Entries.Source` is in each item of the list `Entries`. */
  readonly honours: readonly string[];
}

const object = { Bucket: 'test-bucket', Key: 'object' };
const queue = { QueueUrl: 'https://sqs.us-east-1.amazonaws.com/000000000000/test-Queue' };
const secret = { SecretId: 'test-Secret' };

/** By service and operation. The emulator refuses every other member by its name. */
export const knownOperations: Readonly<Record<RecordedService, Readonly<Record<string, KnownOperation>>>> = {
  cloudwatch: {},
  dynamodb: {},
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
    },
  },
  lambda: {},
  logs: {},
  s3: {
    DeleteObject: { request: object, honours: ['Bucket', 'Key', 'VersionId'] },
    GetObject: { request: object, honours: ['Bucket', 'ChecksumMode', 'Key', 'VersionId'] },
    GetObjectTagging: { request: object, honours: ['Bucket', 'Key', 'VersionId'] },
    HeadObject: { request: object, honours: ['Bucket', 'ChecksumMode', 'Key', 'VersionId'] },
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
      request: { ...queue, AttributeNames: ['ApproximateNumberOfMessages'] },
      honours: ['QueueUrl', 'AttributeNames'],
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
