import type { Authorize } from './iam/authorize.ts';
import type { Principal } from './iam/principal.ts';
import { keyType } from './kms/resource-types.ts';
import { functionType } from './lambda/resource-types.ts';
import { collectSecretKeys, keyContext } from './secrets-manager/access.ts';
import type { StackIdentity } from './shared/names.ts';
import { ofType, type Resource } from './shared/resource-type.ts';

const operator: Principal = { kind: 'operator' };

/**
 * Refuses a stack that AWS would not deploy, because a permission is missing that a resource needs when it is made.
 *
 * @throws {Error} naming the resource, with the reason of the service
 */
export function checkDeployment(
  resources: readonly Resource[],
  authorize: Authorize,
  stack: StackIdentity,
): void {
  checkKeys(resources, authorize);
  checkSecrets(resources, authorize, stack);
  checkFunctions(resources, authorize);
}

/** KMS refuses a key whose policy lets nobody change the policy (KMS API reference, CreateKey, Policy). */
function checkKeys(resources: readonly Resource[], authorize: Authorize): void {
  for (const { logicalId, attributes } of ofType(resources, keyType)) {
    const change = { principal: operator, action: 'kms:PutKeyPolicy', resource: attributes.Arn ?? '' };
    if (!authorize(change).allowed) {
      throw new Error(
        `${logicalId}: the key policy would not allow anybody to update the key policy in the future`,
      );
    }
  }
}

/**
 * Secrets Manager tests the key of a secret with the permissions of whoever deploys. It uses a version ID of its own
 * for that (Secrets Manager User Guide, "Secret encryption and decryption", Encryption context).
 */
function checkSecrets(resources: readonly Resource[], authorize: Authorize, stack: StackIdentity): void {
  for (const [secretArn, key] of collectSecretKeys(resources)) {
    const context = keyContext('RequestToValidateKeyAccess', stack);
    for (const action of ['kms:GenerateDataKey', 'kms:Decrypt']) {
      if (!authorize({ principal: operator, action, resource: key, context }).allowed) {
        throw new Error(`${secretArn}: Access to KMS is not allowed (${action})`);
      }
    }
  }
}

/** Lambda API reference, CreateFunction: the role must trust Lambda, and be able to send dead letters. */
function checkFunctions(resources: readonly Resource[], authorize: Authorize): void {
  for (const lambda of ofType(resources, functionType)) {
    const { logicalId, attributes, ref, properties } = lambda;
    const { Role, DeadLetterConfig } = properties;
    const service = {
      kind: 'service',
      service: 'lambda.amazonaws.com',
      sourceArn: attributes.Arn ?? '',
    } as const;
    if (!authorize({ principal: service, action: 'sts:AssumeRole', resource: Role }).allowed) {
      throw new Error(`${logicalId}: The role defined for the function cannot be assumed by Lambda.`);
    }
    const principal = { kind: 'session', roleArn: Role, sessionName: ref } as const;
    const target = DeadLetterConfig?.TargetArn;
    if (
      target !== undefined &&
      !authorize({ principal, action: 'sqs:SendMessage', resource: target }).allowed
    ) {
      throw new Error(
        `${logicalId}: The provided execution role does not have permissions to call SendMessage on SQS`,
      );
    }
  }
}
