/**
 * Names of the stack's outputs. The command line reads them to find the resources of a deployment.
 */
export const outputNames = [
  'BaseUrl',
  'OrganisationsTableName',
  'ClientsTableName',
  'FilesTableName',
  'UploadsTableName',
  'BucketName',
  'SigningKeySecretArn',
  'SigningKeyKmsKeyArn',
  'KeySetSecretArn',
  'RecordUploadFunctionName',
  'ReconcileUploadsFunctionName',
  'RotateSigningKeyFunctionName',
  'DeadLetterQueueUrl',
  'SupersededRetentionDays',
  'EventBusName',
  'ApiEndpoint',
  'Version',
] as const;

export type OutputName = (typeof outputNames)[number];

/** Outputs that a stack has only with some settings. */
export const optionalOutputNames = [
  'DashboardName',
  'DomainTarget',
  'DomainTargetHostedZoneId',
  'ContentReaders',
] as const;

export type OptionalOutputName = (typeof optionalOutputNames)[number];

/** Descriptions of the outputs in the CloudFormation console. */
export const outputDescriptions: Readonly<Record<OutputName | OptionalOutputName, string>> = {
  BaseUrl: 'Address that clients use: issuer and audience of the access tokens',
  OrganisationsTableName: 'Table of the organisations that have clients and files',
  ClientsTableName: 'Table of the clients and the digests of their secrets',
  FilesTableName: 'Table of the files that can be synced, and of where their content is',
  UploadsTableName: 'Table of every upload URL that was issued, and of what became of it',
  BucketName: 'Bucket that takes the uploads',
  SigningKeySecretArn: 'Secret with the private signing keys: for the token and rotation functions alone',
  SigningKeyKmsKeyArn: 'KMS key that encrypts the private signing keys',
  KeySetSecretArn: 'Secret with the public key set',
  RecordUploadFunctionName: 'Function that records what arrived in the bucket',
  ReconcileUploadsFunctionName: 'Function that records uploads whose events were lost',
  RotateSigningKeyFunctionName: 'Function that rotates and revokes the signing keys',
  DeadLetterQueueUrl: 'Queue of the events of uploads that could not be recorded',
  DashboardName:
    'Dashboard of CloudWatch: is it up, is it slow, who is failing, are uploads arriving, how old are the keys',
  SupersededRetentionDays: 'How long replaced content, and what was deleted, is kept, in days',
  EventBusName: 'Event bus that says what became of each upload',
  ApiEndpoint: "The API's own endpoint. With a domain of your own it is switched off",
  Version: 'Version of the service',
  DomainTarget: 'Name to which the DNS record of the domain must point: a CNAME, or an alias in Route 53',
  DomainTargetHostedZoneId:
    'Hosted zone that an alias to DomainTarget names, if you make it in Route 53 yourself',
  ContentReaders: 'Roles of other accounts that may read the content of uploads',
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
