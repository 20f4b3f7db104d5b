/** Outputs of every stack, with their descriptions in the CloudFormation console. */
const always = {
  BaseUrl: 'Address that clients use: issuer and audience of the access tokens',
  OrganisationsTableName: 'Table of the organisations that have clients and files',
  ClientsTableName: 'Table of the clients and the digests of their secrets',
  FilesTableName: 'Table of the files that clients upload, with the place of their content',
  UploadsTableName: 'Table of the issued upload URLs, with the state of each upload',
  BucketName: 'Bucket for the content of uploads',
  SigningKeySecretArn:
    'Secret with the private signing keys. Only the functions token and signing-keys may read it',
  SigningKeyKmsKeyArn: 'KMS key that encrypts the private signing keys',
  KeySetSecretArn: 'Secret with the public key set',
  RecordUploadFunctionName: 'Function that records new objects of the bucket',
  ReconcileUploadsFunctionName: 'Function that records uploads whose events were lost',
  RotateSigningKeyFunctionName: 'Function that rotates and revokes the signing keys',
  DeadLetterQueueUrl: 'Dead-letter queue: events whose uploads could not be recorded',
  SupersededRetentionDays: 'Days for which replaced and deleted content is kept',
  EventBusName: 'Event bus with an event for the outcome of each upload',
  ApiEndpoint: 'Endpoint of API Gateway. A domain of your own replaces it',
  Version: 'Version of the service',
  UploadHost: 'Host of the upload URLs',
  TokenLifetimeSeconds: 'How long an access token is valid, in seconds',
  LogRetentionDays: 'Days for which log lines are kept',
  TokenRateLimit: 'Most requests for a token per second',
  SyncRateLimit: 'Most requests for an upload URL per second',
} as const;

/** Outputs that a stack has only with some settings. */
const optional = {
  DashboardName: 'CloudWatch dashboard: availability, latency, rejected clients, uploads and age of the keys',
  DomainTarget: 'Target for the DNS record of the domain: a CNAME, or an alias in Route 53',
  DomainTargetHostedZoneId: 'Hosted zone ID for an alias to DomainTarget that you create in Route 53',
  ContentReaders: 'Roles of other accounts that may read the content of uploads',
} as const;

export type OutputName = keyof typeof always;

export type OptionalOutputName = keyof typeof optional;

/**
 * Names of the stack's outputs. The command line reads them to find the resources of a deployment.
 */
export const outputNames = Object.keys(always) as readonly OutputName[];

export const optionalOutputNames = Object.keys(optional) as readonly OptionalOutputName[];

export const outputDescriptions: Readonly<Record<OutputName | OptionalOutputName, string>> = {
  ...always,
  ...optional,
};

/** The outputs of a stack. */
export type StackOutputs = Readonly<Record<OutputName, string>> & {
  readonly [Name in OptionalOutputName]?: string | undefined;
};

/** Reads the outputs, by their names. Call it when none of `outputNames` is missing. */
export function pickOutputs(
  read: (name: OutputName | OptionalOutputName) => string | undefined,
): StackOutputs {
  const found = [...outputNames, ...optionalOutputNames].flatMap((name) => {
    const value = read(name);
    return value ? [[name, value]] : [];
  });
  return Object.fromEntries(found) as StackOutputs;
}
