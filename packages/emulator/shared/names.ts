import { createHash } from 'node:crypto';

/** Parts of the names of resources: the stack's name, and CloudFormation's pseudo parameters. */
export interface StackIdentity {
  readonly stackName: string;
  /** Pseudo parameters: AWS::Region, AWS::AccountId, AWS::Partition, AWS::URLSuffix. */
  readonly region: string;
  readonly accountId: string;
  readonly partition: string;
  readonly urlSuffix: string;
}

/** Creates a name of a resource from its logical ID. */
export type MakeName = (logicalId: string, stack: StackIdentity) => string;

/** Returns the physical name of a resource, as CloudFormation creates it, but without the random part. */
export function physicalName(logicalId: string, stack: StackIdentity): string {
  return `${stack.stackName}-${logicalId}`;
}

/** Returns the ARN of a regional resource of the account. */
export function regionalArn(service: string, resource: string, stack: StackIdentity): string {
  return `arn:${stack.partition}:${service}:${stack.region}:${stack.accountId}:${resource}`;
}

/**
 * Returns a function that creates the ARN of a resource. The last part of the ARN is a prefix and the
 * physical name.
 */
export function arnOf(service: string, prefix = ''): MakeName {
  return (logicalId, stack) => regionalArn(service, `${prefix}${physicalName(logicalId, stack)}`, stack);
}

/**
 * Returns the first hexadecimal digits of a text's SHA-256. They replace the random part of a name, which is
 * then the same at every start.
 */
export function digestOf(text: string, length: number): string {
  return createHash('sha256').update(text).digest('hex').slice(0, length);
}
