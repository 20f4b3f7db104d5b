/**
 * Names of the stack's outputs. The command line reads them to find the resources of a deployment. They are not in
 * the constructs, so that the command line can import them without loading the CDK.
 */
export const outputNames = [
  'BaseUrl',
  'ClientsTableName',
  'FilesTableName',
  'UploadsTableName',
  'BucketName',
  'SigningKeySecretArn',
  'KeySetSecretArn',
  'RecordUploadFunctionName',
  'RotateSigningKeyFunctionName',
  'DeadLetterQueueUrl',
  'DashboardName',
  'SupersededRetentionDays',
] as const;

export type OutputName = (typeof outputNames)[number];

/** Descriptions of the outputs in the CloudFormation console. */
export const outputDescriptions: Readonly<Record<OutputName, string>> = {
  BaseUrl: 'Address that clients use: issuer and audience of the access tokens',
  ClientsTableName: 'Table of the clients and the digests of their secrets',
  FilesTableName: 'Table of the files that can be synced, and of where their content is',
  UploadsTableName: 'Table of every upload URL that was issued, and of what became of it',
  BucketName: 'Bucket that takes the uploads',
  SigningKeySecretArn: 'Secret with the private signing keys: for the token and rotation functions alone',
  KeySetSecretArn: 'Secret with the public key set',
  RecordUploadFunctionName: 'Function that records what arrived in the bucket',
  RotateSigningKeyFunctionName: 'Function that rotates and revokes the signing keys',
  DeadLetterQueueUrl: 'Queue of the events of uploads that could not be recorded',
  DashboardName:
    'Dashboard of CloudWatch: is it up, is it slow, who is failing, are uploads arriving, how old are the keys',
  SupersededRetentionDays: 'How long replaced content, and what was deleted, is kept, in days',
};

export type StackOutputs = Readonly<Record<OutputName, string>>;
