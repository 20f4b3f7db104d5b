/**
 * Names of the stack's outputs: what the command line needs to find the resources of a deployment. Kept apart
 * from the constructs so that the command line can import it without loading the CDK.
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
] as const;

export type OutputName = (typeof outputNames)[number];

export type StackOutputs = Readonly<Record<OutputName, string>>;
