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
  'secrets-manager': {},
  sqs: {
    SendMessage: { request: { ...queue, MessageBody: 'x' }, honours: ['QueueUrl', 'MessageBody'] },
  },
  sts: {},
};
