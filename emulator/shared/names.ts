import { createHash } from 'node:crypto';
import type { StackIdentity } from './resource-type.ts';

/** Physical name of a resource: what CloudFormation would make of stack name and logical id, without a random part. */
export function physicalName(logicalId: string, stack: StackIdentity): string {
  return `${stack.stackName}-${logicalId}`;
}

/** Bucket names are lower case and have at most 63 characters (S3, "General purpose bucket naming rules"). */
export function bucketName(logicalId: string, stack: StackIdentity): string {
  const name = physicalName(logicalId, stack).toLowerCase();
  return name.length <= 63 ? name : `${name.slice(0, 54)}-${digest(name, 8)}`;
}

/** Secret ARNs end in a hyphen and six characters; here they follow from the name, to be the same at every start. */
export function secretArn(logicalId: string, stack: StackIdentity): string {
  const name = physicalName(logicalId, stack);
  return arn(stack, 'secretsmanager', `secret:${name}-${digest(name, 6)}`);
}

/** Key ids are UUIDs; here they follow from the name, to be the same at every start. */
export function keyId(logicalId: string, stack: StackIdentity): string {
  const hex = digest(physicalName(logicalId, stack), 32);
  return [0, 8, 12, 16, 20].map((start, i) => hex.slice(start, [8, 12, 16, 20, 32][i])).join('-');
}

export function roleArn(logicalId: string, stack: StackIdentity): string {
  return `arn:${stack.partition}:iam::${stack.accountId}:role/${physicalName(logicalId, stack)}`;
}

/** Name of a role: the last part of its ARN, which may have a path. */
export function roleNameOf(arnOfRole: string): string {
  return arnOfRole.slice(arnOfRole.lastIndexOf('/') + 1);
}

/** ARN of the session that a role's credentials stand for (STS, AssumedRoleUser). */
export function sessionArn(arnOfRole: string, sessionName: string, stack: StackIdentity): string {
  return `arn:${stack.partition}:sts::${stack.accountId}:assumed-role/${roleNameOf(arnOfRole)}/${sessionName}`;
}

/** ARN of a regional resource of the account. */
export function arn(stack: StackIdentity, service: string, resource: string): string {
  return `arn:${stack.partition}:${service}:${stack.region}:${stack.accountId}:${resource}`;
}

function digest(text: string, length: number): string {
  return createHash('sha256').update(text).digest('hex').slice(0, length);
}
