import { optionalOutputNames, outputNames } from '../../contract/internal/stack-outputs.ts';
import { everySetting, propertiesOf, readable, resourcesOf, synthesized } from '../support/synthesized.ts';

const prod = synthesized();
const dev = synthesized({ stage: 'dev' });

/** Resource types with data that a replacement or a removal would lose. */
const statefulTypes = [
  'AWS::DynamoDB::Table',
  'AWS::S3::Bucket',
  'AWS::SecretsManager::Secret',
  'AWS::KMS::Key',
  'AWS::SQS::Queue',
  'AWS::Logs::LogGroup',
];

const stateful = (stack: typeof prod) => statefulTypes.flatMap((type) => resourcesOf(stack.document, type));

describe('stateful resources', () => {
  it('keep their logical ids: another id is another resource, empty', () => {
    const ids = stateful(prod)
      .filter(([, { Type }]) => Type !== 'AWS::Logs::LogGroup')
      .map(([id, { Type }]) => `${Type} ${id}`);
    expect(ids).toEqual([
      'AWS::DynamoDB::Table OrganisationsTableB3508D80',
      'AWS::DynamoDB::Table ClientsTable5BB59C73',
      'AWS::DynamoDB::Table FilesTableBFDD0A3F',
      'AWS::DynamoDB::Table UploadsTable96857CE8',
      'AWS::S3::Bucket UploadsBucket6E76B673',
      'AWS::SecretsManager::Secret SigningKeyPrivateKeys560D0A02',
      'AWS::SecretsManager::Secret SigningKeyKeySetC014679F',
      'AWS::KMS::Key SigningKeyEncryptionKeyBDBCDD7C',
      'AWS::SQS::Queue RecorderDeadLetters415ED37C',
    ]);
  });

  it('are retained in prod, but not when a creation is rolled back', () => {
    const retained = Object.entries(prod.document.Resources)
      .filter(([, { DeletionPolicy }]) => DeletionPolicy === 'RetainExceptOnCreate')
      .map(([id, { UpdateReplacePolicy }]) => [id, UpdateReplacePolicy]);
    expect(retained.sort()).toEqual(
      stateful(prod)
        .map(([id]) => [id, 'Retain'])
        .sort(),
    );
  });

  it('go with the stack in dev', () => {
    const kept = stateful(dev).filter(([, { DeletionPolicy }]) => DeletionPolicy !== 'Delete');
    expect(kept).toEqual([]);
    expect(resourcesOf(dev.document, 'Custom::S3AutoDeleteObjects')).toHaveLength(1);
  });

  it('are protected in prod by a function that hears of this stack', () => {
    const rules = (stack: typeof prod) =>
      resourcesOf(stack.document, 'AWS::Events::Rule').filter(([id]) => id.startsWith('Protection'));
    expect(rules(dev)).toEqual([]);
    expect(rules(prod).map(([, { Properties }]) => Properties)).toEqual([
      expect.objectContaining({
        State: 'ENABLED',
        ScheduleExpression: 'rate(15 minutes)',
        EventPattern: {
          source: ['aws.cloudformation'],
          'detail-type': ['CloudFormation Stack Status Change'],
          detail: { 'stack-id': [{ Ref: 'AWS::StackId' }] },
        },
        Targets: [
          expect.objectContaining({
            Arn: { 'Fn::GetAtt': [expect.stringMatching(/^ProtectionProtectFunction/), 'Arn'] },
          }),
        ],
      }),
    ]);
  });
});

describe('tables', () => {
  const tables = Object.fromEntries(
    resourcesOf(prod.document, 'AWS::DynamoDB::Table').map(([id, { Properties }]) => [
      id.slice(0, -8),
      Properties,
    ]),
  );
  const hash = (name: string) => ({ AttributeName: name, KeyType: 'HASH' });
  const range = (name: string) => ({ AttributeName: name, KeyType: 'RANGE' });
  const uploadIndex = (IndexName: string, ...KeySchema: object[]) => ({
    IndexName,
    KeySchema,
    Projection: { ProjectionType: 'INCLUDE', NonKeyAttributes: ['client_id', 'issued_at', 'expires_at'] },
  });
  const byCreation = {
    IndexName: 'by-creation',
    KeySchema: [hash('organisation_id'), range('created_at')],
    Projection: { ProjectionType: 'INCLUDE', NonKeyAttributes: ['deleted_at'] },
  };

  const newest = (sortKey: string) => ({
    IndexName: 'newest',
    KeySchema: [hash('list_shard'), range(sortKey)],
    Projection: { ProjectionType: 'KEYS_ONLY' },
  });
  const byTime = [byCreation, newest('created_at')];

  it('have the keys and indexes of docs/stored-items.md', () => {
    expect(tables).toMatchObject({
      OrganisationsTable: {
        KeySchema: [hash('organisation_id')],
        GlobalSecondaryIndexes: [newest('created_at')],
      },
      ClientsTable: { KeySchema: [hash('client_id')], GlobalSecondaryIndexes: byTime },
      FilesTable: {
        KeySchema: [hash('file_id')],
        GlobalSecondaryIndexes: [
          ...byTime,
          {
            IndexName: 'expected',
            KeySchema: [hash('expected_state'), range('expected_by')],
            Projection: { ProjectionType: 'KEYS_ONLY' },
          },
        ],
      },
      UploadsTable: {
        KeySchema: [hash('upload_id')],
        GlobalSecondaryIndexes: [
          uploadIndex('by-file', hash('file_id'), range('upload_id')),
          uploadIndex('by-organisation', hash('organisation_id'), range('upload_id')),
          newest('upload_id'),
          {
            IndexName: 'due',
            KeySchema: [hash('due_shard'), range('due_at')],
            Projection: { ProjectionType: 'KEYS_ONLY' },
          },
        ],
      },
    });
  });

  it.for(Object.keys(tables))('are on demand, recoverable, encrypted, and expire items: %s', (name) => {
    expect(tables[name]).toMatchObject({
      BillingMode: 'PAY_PER_REQUEST',
      PointInTimeRecoverySpecification: { PointInTimeRecoveryEnabled: true },
      // DynamoDB always encrypts; false selects its own key.
      SSESpecification: { SSEEnabled: false },
      TimeToLiveSpecification: { AttributeName: 'delete_after', Enabled: true },
    });
  });
});

describe('the bucket', () => {
  const bucketOf = (context: Record<string, unknown>) =>
    propertiesOf<Record<string, unknown>>(synthesized(context).document, 'AWS::S3::Bucket')[0];
  const bucket = bucketOf({});

  it('is versioned, private, encrypted and seen by EventBridge', () => {
    expect(bucket).toMatchObject({
      VersioningConfiguration: { Status: 'Enabled' },
      PublicAccessBlockConfiguration: {
        BlockPublicAcls: true,
        BlockPublicPolicy: true,
        IgnorePublicAcls: true,
        RestrictPublicBuckets: true,
      },
      OwnershipControls: { Rules: [{ ObjectOwnership: 'BucketOwnerEnforced' }] },
      BucketEncryption: {
        ServerSideEncryptionConfiguration: [{ ServerSideEncryptionByDefault: { SSEAlgorithm: 'AES256' } }],
      },
      NotificationConfiguration: { EventBridgeConfiguration: { EventBridgeEnabled: true } },
    });
  });

  it('deletes only replaced content, after the retention period', () => {
    const rules = (days: number) => ({
      Rules: [
        {
          AbortIncompleteMultipartUpload: { DaysAfterInitiation: 1 },
          ExpiredObjectDeleteMarker: true,
          NoncurrentVersionExpiration: { NoncurrentDays: days },
          Status: 'Enabled',
        },
        ...['cancelled', 'superseded'].map((Value) => ({
          ExpirationInDays: days,
          Status: 'Enabled',
          TagFilters: [{ Key: 'tombstone', Value }],
        })),
      ],
    });
    expect(bucket?.LifecycleConfiguration).toEqual(rules(30));
    expect(bucketOf(everySetting)?.LifecycleConfiguration).toEqual(rules(365));
  });
});

describe('secrets', () => {
  const secrets = resourcesOf(prod.document, 'AWS::SecretsManager::Secret');

  it.for(secrets)(
    'are made empty: no private key passes through the template: %s',
    ([id, { Properties = {} }]) => {
      expect(
        Object.keys(Properties).filter((name) => /SecretString/.test(name)),
        id,
      ).toEqual([]);
    },
  );

  it('keep the private keys under the customer-managed key, which rotates', () => {
    expect(readable(secrets[0]?.[1].Properties?.KmsKeyId)).toBe('<SigningKeyEncryptionKey.Arn>');
    const [key] = propertiesOf<object>(prod.document, 'AWS::KMS::Key');
    expect(key).toMatchObject({ EnableKeyRotation: true, PendingWindowInDays: 30 });
  });

  it('have no schedule in the template: its test needs other rights', () => {
    expect(resourcesOf(prod.document, 'AWS::SecretsManager::RotationSchedule')).toEqual([]);
  });

  it('rotate the private keys on the schedule that the function sets', () => {
    const made = (context: Record<string, unknown>) =>
      resourcesOf(synthesized(context).document, 'Custom::FirstSigningKey')[0]?.[1];
    expect(made({})?.Properties).toMatchObject({ signingKeyRotationDays: 90 });
    expect(readable(made({})?.Properties?.ServiceToken)).toBe('<RotationRotateFunction.Arn>');
    expect(made(everySetting)?.Properties).toMatchObject({ signingKeyRotationDays: 7 });
    // The caller that sets a schedule must be allowed to invoke the function, and so must Secrets Manager.
    expect(made({})?.DependsOn).toEqual(
      expect.arrayContaining([
        expect.stringMatching(/^RotationSchedulePolicy/),
        expect.stringMatching(/^RotationRotateSecretsManagerPermission/),
      ]),
    );
  });
});

it('each function has a log group, and the API has one, which end', () => {
  const retention = (stack: typeof prod) =>
    propertiesOf<{ RetentionInDays: number }>(stack.document, 'AWS::Logs::LogGroup').map(
      (group) => group.RetentionInDays,
    );
  expect(retention(prod)).toEqual(Array(9).fill(90));
  expect(retention(dev)).toEqual(Array(8).fill(7));
  expect(new Set(retention(synthesized(everySetting)))).toEqual(new Set([365]));
});

it('outputs have the names that the command line reads', () => {
  const { document } = synthesized(everySetting);
  expect(Object.keys(document.Outputs)).toEqual([...outputNames, ...optionalOutputNames]);
});
