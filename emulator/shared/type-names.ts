import { createHash } from 'node:crypto';
import type { StackIdentity } from './resource-type.ts';

/** Physical name of a resource that the template does not name. */
export function physicalName(logicalId: string, stack: StackIdentity): string {
  return `${stack.stackName}-${logicalId}`;
}

/** An identifier as API Gateway makes them: ten lower-case letters and digits, the same at every start. */
export function gatewayId(logicalId: string, stack: StackIdentity): string {
  const digest = createHash('sha256').update(physicalName(logicalId, stack)).digest('hex');
  return BigInt(`0x${digest}`).toString(36).slice(0, 10);
}

/** ARN in the account and region of the stack. */
export function arn(service: string, resource: string, stack: StackIdentity): string {
  return `arn:${stack.partition}:${service}:${stack.region}:${stack.accountId}:${resource}`;
}
