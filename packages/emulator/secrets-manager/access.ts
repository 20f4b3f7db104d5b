import { type Access, requireAllowed } from '../iam/authorize.ts';
import type { RequestContext } from '../iam/condition.ts';
import type { Principal } from '../iam/principal.ts';
import { keyType } from '../kms/resource-types.ts';
import type { ServiceCall } from '../protocols/service.ts';
import { AwsError } from '../shared/errors.ts';
import type { StackIdentity } from '../shared/names.ts';
import { ofType, type Resource } from '../shared/resource-type.ts';
import { secretType } from './resource-types.ts';
import type { Secret } from './secret.ts';

/** ARNs of customer-managed keys, by the ARN of the secret that has the key. */
export type SecretKeys = ReadonlyMap<string, string>;

/**
 * The calls to KMS that Secrets Manager makes for a caller, with the permissions of the caller (Secrets Manager User
 * Guide, "Secret encryption and decryption").
 */
const keyActions: Readonly<Record<string, readonly string[]>> = {
  GetSecretValue: ['kms:Decrypt'],
  PutSecretValue: ['kms:GenerateDataKey', 'kms:Decrypt'],
};

/** @throws {Error} naming the secret, when its key is not in the template */
export function collectSecretKeys(resources: readonly Resource[]): SecretKeys {
  const keys = ofType(resources, keyType);
  const encrypted = ofType(resources, secretType).flatMap(({ logicalId, ref, properties }) => {
    if (properties.KmsKeyId === undefined) {
      return [];
    }
    const key = keys.find((it) => [it.ref, it.attributes.Arn].includes(properties.KmsKeyId));
    if (key === undefined) {
      throw new Error(`${logicalId}: KmsKeyId names no key of the template`);
    }
    return [[ref, key.attributes.Arn ?? ''] as const];
  });
  return new Map(encrypted);
}

/** @throws {AwsError} AccessDeniedException, for the operation itself or for the key of the secret */
export function requireSecretAccess(
  { principal, operation }: ServiceCall,
  secret: Secret,
  versionId: string,
  keys: SecretKeys,
  access: Access,
): void {
  requireAllowed({ principal, action: `secretsmanager:${operation}`, resource: secret.arn }, access);
  const actions = keyActions[operation] ?? [];
  requireKeyAccess({ principal, actions, secretArn: secret.arn, versionId }, keys, access);
}

/** Condition keys of Secrets Manager's calls to KMS (Secrets Manager User Guide, "Encryption context"). */
export function keyContext(versionId: string, stack: StackIdentity): RequestContext {
  return {
    'kms:ViaService': `secretsmanager.${stack.region}.${stack.urlSuffix}`,
    'kms:EncryptionContext:SecretVersionId': versionId,
  };
}

/** The calls to KMS for one version of a secret, and with whose permissions Secrets Manager makes them. */
export interface KeyUse {
  readonly principal: Principal;
  readonly actions: readonly string[];
  readonly secretArn: string;
  readonly versionId: string;
}

/** @throws {AwsError} AccessDeniedException */
export function requireKeyAccess(
  { principal, actions, secretArn, versionId }: KeyUse,
  keys: SecretKeys,
  { authorize, stack }: Access,
): void {
  const key = keys.get(secretArn);
  if (key === undefined) {
    return;
  }
  const context = keyContext(versionId, stack);
  for (const action of actions) {
    if (!authorize({ principal, action, resource: key, context }).allowed) {
      throw new AwsError(400, 'AccessDeniedException', 'Access to KMS is not allowed');
    }
  }
}
