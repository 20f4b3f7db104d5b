import { parse } from 'valibot';
import type { Principal } from './authentication/credentials.ts';
import type { Authorize } from './iam/authorize.ts';
import { functionSchema } from './lambda/resource-types.ts';
import { collectSecretKeys } from './secrets-manager/access.ts';
import type { Resource, StackIdentity } from './shared/resource-type.ts';
import { ofType } from './shared/resources.ts';

const operator: Principal = { kind: 'operator' };

/**
 * Refuses what AWS refuses while the stack is deployed, because a permission is missing that a resource needs to
 * be made.
 *
 * @throws {Error} naming the resource, with the service's own reason
 */
export function checkDeployment(
  resources: readonly Resource[],
  authorize: Authorize,
  stack: StackIdentity,
): void {
  checkKeys(resources, authorize);
  checkSecrets(resources, authorize, stack);
  checkFunctions(resources, authorize);
  checkRotations(resources, authorize);
}

/** A key that nobody could look after any more is not made (KMS API reference, CreateKey, Policy). */
function checkKeys(resources: readonly Resource[], authorize: Authorize): void {
  for (const { logicalId, attributes } of ofType(resources, 'AWS::KMS::Key')) {
    const change = { principal: operator, action: 'kms:PutKeyPolicy', resource: attributes.Arn ?? '' };
    if (!authorize(change).allowed) {
      throw new Error(
        `${logicalId}: the key policy would not allow anybody to update the key policy in the future`,
      );
    }
  }
}

/**
 * Secrets Manager tries a secret's key out with the permissions of whoever deploys, under a version id of its own
 * (Secrets Manager User Guide, "Secret encryption and decryption", Encryption context).
 */
function checkSecrets(resources: readonly Resource[], authorize: Authorize, stack: StackIdentity): void {
  for (const [secretArn, key] of collectSecretKeys(resources)) {
    const context = {
      'kms:ViaService': `secretsmanager.${stack.region}.${stack.urlSuffix}`,
      'kms:CallerAccount': stack.accountId,
      'kms:EncryptionContext:SecretARN': secretArn,
      'kms:EncryptionContext:SecretVersionId': 'RequestToValidateKeyAccess',
    };
    for (const action of ['kms:GenerateDataKey', 'kms:Decrypt']) {
      if (!authorize({ principal: operator, action, resource: key, context }).allowed) {
        throw new Error(`${secretArn}: Access to KMS is not allowed (${action})`);
      }
    }
  }
}

/** Lambda API reference, CreateFunction: the role must trust Lambda, and be able to send dead letters. */
function checkFunctions(resources: readonly Resource[], authorize: Authorize): void {
  for (const resource of resources.filter(({ type }) => type === 'AWS::Lambda::Function')) {
    const { logicalId, attributes, ref } = resource;
    const { Role, DeadLetterConfig } = parse(functionSchema, resource.properties);
    const lambda = {
      kind: 'service',
      service: 'lambda.amazonaws.com',
      sourceArn: attributes.Arn ?? '',
    } as const;
    if (!authorize({ principal: lambda, action: 'sts:AssumeRole', resource: Role }).allowed) {
      throw new Error(`${logicalId}: The role defined for the function cannot be assumed by Lambda.`);
    }
    if (DeadLetterConfig === undefined) continue;
    const principal = { kind: 'session', roleArn: Role, sessionName: ref } as const;
    const send = { principal, action: 'sqs:SendMessage', resource: DeadLetterConfig.TargetArn };
    if (!authorize(send).allowed) {
      throw new Error(
        `${logicalId}: The provided execution role does not have permissions to call SendMessage on SQS`,
      );
    }
  }
}

/** Secrets Manager User Guide, "Lambda rotation function execution role permissions": the function's policy. */
function checkRotations(resources: readonly Resource[], authorize: Authorize): void {
  for (const { logicalId, properties } of ofType(resources, 'AWS::SecretsManager::RotationSchedule')) {
    const principal = {
      kind: 'service',
      service: 'secretsmanager.amazonaws.com',
      sourceArn: properties.SecretId,
    } as const;
    const invoke = { principal, action: 'lambda:InvokeFunction', resource: properties.RotationLambdaARN };
    if (!authorize(invoke).allowed) {
      throw new Error(
        `${logicalId}: Secrets Manager cannot invoke the specified Lambda function. Ensure that the function ` +
          'policy grants access to the principal secretsmanager.amazonaws.com',
      );
    }
  }
}
