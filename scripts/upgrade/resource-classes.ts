import type { Resource } from './template.ts';

/**
 * What each type holds that a new resource of the type would lack. A type that is new in the template belongs into this
 * list or the next one; a test and the check itself name those that are in neither.
 */
export const statefulTypes: Readonly<Record<string, string>> = {
  'AWS::DynamoDB::Table': 'its items',
  'AWS::S3::Bucket': 'its objects and their versions',
  'AWS::SecretsManager::Secret': 'its value and earlier versions of it',
  'AWS::KMS::Key': 'the key, without which nothing that it encrypted can be read',
  'AWS::SQS::Queue': 'the messages that wait in it',
  // Of a new subscription SNS asks the address again, and sends nothing before it agrees.
  'AWS::SNS::Topic': 'who subscribed to it',
  'AWS::SNS::Subscription': 'the agreement of its address',
  'AWS::Logs::LogGroup': 'the logs of its retention time',
  'AWS::Events::EventBus': 'the rules of those who listen, who know its name',
  'AWS::EventSchemas::Registry': 'the earlier versions of the schemas of events',
  'AWS::EventSchemas::Schema': 'its earlier versions',
  // Clients know its address, and every token names it as the issuer, unless the setting baseUrl gives another.
  'AWS::ApiGatewayV2::Api': 'the address that clients call and that tokens name as their issuer',
  // A new one has another target, at which no DNS record points that is kept outside of the stack.
  'AWS::ApiGatewayV2::DomainName': 'the name at which the DNS records of the domain point',
};

/** Types that hold nothing: a new resource does what the old one did. */
export const statelessTypes: ReadonlySet<string> = new Set([
  'AWS::ApiGatewayV2::ApiMapping',
  'AWS::ApiGatewayV2::Integration',
  'AWS::ApiGatewayV2::Route',
  'AWS::ApiGatewayV2::Stage',
  'AWS::CloudWatch::Alarm',
  'AWS::CloudWatch::CompositeAlarm',
  'AWS::CloudWatch::Dashboard',
  'AWS::Events::Rule',
  'AWS::IAM::Policy',
  'AWS::IAM::Role',
  'AWS::Lambda::EventInvokeConfig',
  'AWS::Lambda::Function',
  'AWS::Lambda::Permission',
  'AWS::Logs::MetricFilter',
  'AWS::Logs::QueryDefinition',
  'AWS::Route53::RecordSet',
  'AWS::S3::BucketPolicy',
  'AWS::SecretsManager::ResourcePolicy',
  'AWS::SecretsManager::RotationSchedule',
  'AWS::SNS::TopicPolicy',
  'AWS::SQS::QueuePolicy',
  // Makes the first signing key where there is none; what it makes is in the secrets.
  'Custom::FirstSigningKey',
  // Empties the bucket of a dev stack that is deleted.
  'Custom::S3AutoDeleteObjects',
]);

/** Policies that keep a resource or a copy of it. */
const keeping = new Set(['Retain', 'RetainExceptOnCreate', 'Snapshot']);

/**
 * What a resource holds; undefined for one that holds nothing. Of a type that no list has, a resource that is to be kept
 * holds something.
 */
export function heldBy(resource: Resource): string | undefined {
  if (statelessTypes.has(resource.Type)) {
    return undefined;
  }
  const policies = [resource.DeletionPolicy, resource.UpdateReplacePolicy];
  const kept = policies.some((policy) => keeping.has(policy ?? ''));
  return statefulTypes[resource.Type] ?? (kept ? 'what it is to be retained for' : undefined);
}

/** Whether the lists say what becomes of the type. */
export function isClassified(type: string): boolean {
  return Object.hasOwn(statefulTypes, type) || statelessTypes.has(type);
}
