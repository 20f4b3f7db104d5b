import {
  array,
  boolean,
  type GenericSchema,
  literal,
  minValue,
  number,
  optional,
  picklist,
  pipe,
  record,
  strictObject,
  string,
  unknown,
} from 'valibot';

/** Policies have a grammar of their own; iam/policy.ts reads them, as strictly. */
const policyDocument = unknown();
const tags = optional(array(strictObject({ Key: string(), Value: string() })));
/** CloudFormation takes numbers and booleans as text, too, and the CDK sometimes writes them so. */
const count = pipe(number(), minValue(0));

const keySchema = array(strictObject({ AttributeName: string(), KeyType: picklist(['HASH', 'RANGE']) }));

const table = strictObject({
  AttributeDefinitions: array(
    strictObject({ AttributeName: string(), AttributeType: picklist(['S', 'N', 'B']) }),
  ),
  KeySchema: keySchema,
  GlobalSecondaryIndexes: optional(
    array(
      strictObject({
        IndexName: string(),
        KeySchema: keySchema,
        Projection: strictObject({
          ProjectionType: picklist(['ALL', 'KEYS_ONLY', 'INCLUDE']),
          NonKeyAttributes: optional(array(string())),
        }),
        // Throughput limits do not change what is stored or read.
        OnDemandThroughput: optional(unknown()),
      }),
    ),
  ),
  BillingMode: literal('PAY_PER_REQUEST'),
  // Protection, backup and encryption at rest have no effect that a caller could see.
  DeletionProtectionEnabled: optional(boolean()),
  PointInTimeRecoverySpecification: optional(
    strictObject({ PointInTimeRecoveryEnabled: boolean(), RecoveryPeriodInDays: optional(count) }),
  ),
  SSESpecification: optional(
    strictObject({
      SSEEnabled: boolean(),
      SSEType: optional(literal('KMS')),
      KMSMasterKeyId: optional(string()),
    }),
  ),
  OnDemandThroughput: optional(unknown()),
  Tags: tags,
});

/** A lifecycle rule as far as the store carries it out (s3/lifecycle.ts). */
const lifecycleRule = strictObject({
  Id: optional(string()),
  Status: picklist(['Enabled', 'Disabled']),
  Prefix: optional(string()),
  // Multipart uploads are not served, so there are none to abort.
  AbortIncompleteMultipartUpload: optional(strictObject({ DaysAfterInitiation: count })),
  NoncurrentVersionExpiration: optional(strictObject({ NoncurrentDays: count })),
});

const bucket = strictObject({
  BucketEncryption: optional(
    strictObject({
      ServerSideEncryptionConfiguration: array(
        strictObject({
          BucketKeyEnabled: optional(boolean()),
          ServerSideEncryptionByDefault: strictObject({ SSEAlgorithm: literal('AES256') }),
        }),
      ),
    }),
  ),
  LifecycleConfiguration: optional(
    strictObject({
      Rules: array(lifecycleRule),
      TransitionDefaultMinimumObjectSize: optional(string()),
    }),
  ),
  NotificationConfiguration: optional(
    strictObject({
      EventBridgeConfiguration: strictObject({ EventBridgeEnabled: optional(boolean()) }),
    }),
  ),
  // Nothing here is reachable without a signature, and nobody owns objects by ACL.
  OwnershipControls: optional(
    strictObject({ Rules: array(strictObject({ ObjectOwnership: literal('BucketOwnerEnforced') })) }),
  ),
  PublicAccessBlockConfiguration: optional(
    strictObject({
      BlockPublicAcls: literal(true),
      BlockPublicPolicy: literal(true),
      IgnorePublicAcls: literal(true),
      RestrictPublicBuckets: literal(true),
    }),
  ),
  VersioningConfiguration: strictObject({ Status: literal('Enabled') }),
  Tags: tags,
});

const secret = strictObject({
  Description: optional(string()),
  KmsKeyId: optional(string()),
  SecretString: optional(string()),
  GenerateSecretString: optional(
    strictObject({
      PasswordLength: optional(count),
      ExcludePunctuation: optional(boolean()),
      ExcludeCharacters: optional(string()),
      SecretStringTemplate: optional(string()),
      GenerateStringKey: optional(string()),
    }),
  ),
  Tags: tags,
});

const rotationSchedule = strictObject({
  SecretId: string(),
  RotationLambdaARN: string(),
  RotationRules: strictObject({
    AutomaticallyAfterDays: optional(count),
    ScheduleExpression: optional(string()),
    Duration: optional(string()),
  }),
  RotateImmediatelyOnUpdate: optional(boolean()),
});

const role = strictObject({
  AssumeRolePolicyDocument: policyDocument,
  Description: optional(string()),
  ManagedPolicyArns: optional(array(string())),
  MaxSessionDuration: optional(pipe(number(), minValue(3600))),
  Path: optional(string()),
  Policies: optional(array(strictObject({ PolicyName: string(), PolicyDocument: policyDocument }))),
  Tags: tags,
});

const queue = strictObject({
  // Messages are kept on this machine's disk and travel on its loopback interface.
  KmsMasterKeyId: optional(string()),
  SqsManagedSseEnabled: optional(boolean()),
  MessageRetentionPeriod: optional(count),
  VisibilityTimeout: optional(count),
  Tags: tags,
});

const eventTarget = strictObject({
  Id: string(),
  Arn: string(),
  DeadLetterConfig: optional(strictObject({ Arn: optional(string()) })),
  RetryPolicy: optional(
    strictObject({
      MaximumEventAgeInSeconds: optional(count),
      MaximumRetryAttempts: optional(count),
    }),
  ),
});

const rule = strictObject({
  Description: optional(string()),
  EventPattern: record(string(), unknown()),
  State: optional(picklist(['ENABLED', 'DISABLED'])),
  Targets: optional(array(eventTarget)),
});

const eventInvokeConfig = strictObject({
  FunctionName: string(),
  Qualifier: literal('$LATEST'),
  MaximumEventAgeInSeconds: optional(count),
  MaximumRetryAttempts: optional(count),
  DestinationConfig: optional(strictObject({ OnFailure: optional(strictObject({ Destination: string() })) })),
});

/** Properties of each AWS resource type, by name. What is not listed stops the start. */
export const resourceSchemas = {
  'AWS::DynamoDB::Table': table,
  'AWS::S3::Bucket': bucket,
  'AWS::S3::BucketPolicy': strictObject({ Bucket: string(), PolicyDocument: policyDocument }),
  'AWS::SecretsManager::Secret': secret,
  'AWS::SecretsManager::RotationSchedule': rotationSchedule,
  'AWS::SecretsManager::ResourcePolicy': strictObject({
    SecretId: string(),
    ResourcePolicy: policyDocument,
    BlockPublicPolicy: optional(boolean()),
  }),
  'AWS::KMS::Key': strictObject({
    Description: optional(string()),
    Enabled: optional(literal(true)),
    // Keys are names here: no data is encrypted under them, so they need not rotate.
    EnableKeyRotation: optional(boolean()),
    RotationPeriodInDays: optional(count),
    PendingWindowInDays: optional(count),
    KeyPolicy: policyDocument,
    Tags: tags,
  }),
  'AWS::KMS::Alias': strictObject({ AliasName: string(), TargetKeyId: string() }),
  'AWS::IAM::Role': role,
  'AWS::IAM::Policy': strictObject({
    PolicyName: string(),
    PolicyDocument: policyDocument,
    Roles: array(string()),
  }),
  'AWS::SQS::Queue': queue,
  'AWS::SQS::QueuePolicy': strictObject({
    Queues: array(string()),
    PolicyDocument: policyDocument,
  }),
  'AWS::Events::Rule': rule,
  'AWS::Lambda::EventInvokeConfig': eventInvokeConfig,
} as const satisfies Readonly<Record<string, GenericSchema>>;

export type AwsResourceTypeName = keyof typeof resourceSchemas;
