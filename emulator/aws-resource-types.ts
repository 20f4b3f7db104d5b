import { type AwsResourceTypeName, resourceSchemas } from './resource-schemas.ts';
import { arn, bucketName, keyId, physicalName, roleArn, secretArn } from './shared/names.ts';
import type { ResourceType, ResourceTypes, StackIdentity } from './shared/resource-type.ts';

type Name = (logicalId: string, stack: StackIdentity) => string;
type Names = Omit<ResourceType, 'properties'>;

function withArn(service: string, prefix = ''): Name {
  return (logicalId, stack) => arn(stack, service, `${prefix}${physicalName(logicalId, stack)}`);
}

/** A resource that others do not refer to by attribute. */
const plain: Names = { ref: physicalName, attributes: {} };

const names: Readonly<Record<AwsResourceTypeName, Names>> = {
  'AWS::DynamoDB::Table': { ref: physicalName, attributes: { Arn: withArn('dynamodb', 'table/') } },
  'AWS::S3::Bucket': {
    ref: bucketName,
    attributes: {
      Arn: (id, stack) => `arn:${stack.partition}:s3:::${bucketName(id, stack)}`,
      DomainName: (id, stack) => `${bucketName(id, stack)}.s3.${stack.urlSuffix}`,
      RegionalDomainName: (id, stack) => `${bucketName(id, stack)}.s3.${stack.region}.${stack.urlSuffix}`,
    },
  },
  'AWS::S3::BucketPolicy': plain,
  'AWS::SecretsManager::Secret': { ref: secretArn, attributes: { Id: secretArn } },
  'AWS::SecretsManager::RotationSchedule': plain,
  'AWS::SecretsManager::ResourcePolicy': plain,
  'AWS::KMS::Key': {
    ref: keyId,
    attributes: { Arn: (id, stack) => arn(stack, 'kms', `key/${keyId(id, stack)}`), KeyId: keyId },
  },
  'AWS::KMS::Alias': { ref: (id, stack) => `alias/${physicalName(id, stack)}`, attributes: {} },
  'AWS::IAM::Role': { ref: physicalName, attributes: { Arn: roleArn } },
  'AWS::IAM::Policy': plain,
  'AWS::SQS::Queue': {
    ref: (id, stack) =>
      `https://sqs.${stack.region}.${stack.urlSuffix}/${stack.accountId}/${physicalName(id, stack)}`,
    attributes: { Arn: withArn('sqs'), QueueName: physicalName },
  },
  'AWS::SQS::QueuePolicy': plain,
  'AWS::Events::Rule': { ref: physicalName, attributes: { Arn: withArn('events', 'rule/') } },
  'AWS::Lambda::EventInvokeConfig': plain,
};

/** The resource types that the AWS endpoints of the local run stand for. */
export const awsResourceTypes: ResourceTypes = Object.fromEntries(
  Object.entries(resourceSchemas).map(([type, properties]) => [
    type,
    { properties, ...names[type as AwsResourceTypeName] },
  ]),
);
