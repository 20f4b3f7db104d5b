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

/** ARNs of customer-managed keys, by the ARN of the secret that uses the key. */
export type SecretKeys = ReadonlyMap<string, string>;

/**
 * KMS actions that Secrets Manager calls for a caller, with the permissions of the caller (Secrets Manager
 * User Guide, "Secret encryption and decryption").
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
      throw new Error(`${logicalId}: KmsKeyId is not a key of the template`);
    }
    return [[ref, key.attributes.Arn ?? ''] as const];
  });
  return new Map(encrypted);
}

/** @throws {AwsError} AccessDeniedException, for the operation itself or for the key of the secret */
export function requireSecretAccess(
  { principal, operation, input }: ServiceCall,
  secret: Secret,
  versionId: string,
  keys: SecretKeys,
  access: Access,
): void {
  const action = `secretsmanager:${operation}`;
  requireAllowed(
    { principal, action, resource: secret.arn, context: requestContext(input, secret, keys) },
    access,
  );
  const actions = keyActions[operation] ?? [];
  const version = secret.versions.find((it) => it.versionId === versionId);
  const kmsKeyId = version?.value === undefined ? secret.kmsKeyId : version.kmsKeyId;
  requireKeyAccess({ principal, actions, secretArn: secret.arn, versionId, kmsKeyId }, keys, access);
}

/**
 * Returns condition keys for the parameters of a call. An absent parameter adds no key (Service Authorization
 * Reference).
 */
function requestContext(input: ServiceCall['input'], secret: Secret, keys: SecretKeys): RequestContext {
  const { VersionStage, KmsKeyId } = input;
  return {
    ...(VersionStage === undefined ? {} : { 'secretsmanager:VersionStage': String(VersionStage) }),
    ...(KmsKeyId === undefined
      ? {}
      : { 'secretsmanager:KmsKeyArn': keyArn(String(KmsKeyId), secret.arn, keys) }),
  };
}

/** Returns the ARN of a key that is named by ARN or ID. Returns any other name unchanged. */
function keyArn(kmsKeyId: string, secretArn: string, keys: SecretKeys): string {
  const key = keys.get(secretArn);
  return key?.endsWith(`:key/${kmsKeyId}`) ? key : kmsKeyId;
}

/**
 * Returns the condition keys of Secrets Manager's calls to KMS (Secrets Manager User Guide, "Encryption
 * context").
 */
export function keyContext(versionId: string, stack: StackIdentity): RequestContext {
  return {
    'kms:ViaService': `secretsmanager.${stack.region}.${stack.urlSuffix}`,
    'kms:EncryptionContext:SecretVersionId': versionId,
  };
}

/** Calls to KMS for one version of a secret, with the principal whose permissions they need. */
interface KeyUse {
  readonly principal: Principal;
  readonly actions: readonly string[];
  readonly secretArn: string;
  readonly versionId: string;
  /** Key of the version, if it is not the key of the template. */
  readonly kmsKeyId?: string | undefined;
}

/**
 * Checks the permissions on a key. Every principal of the account may use a key outside the template, as with
 * the default key of Secrets Manager.
 *
 * @throws {AwsError} AccessDeniedException
 */
export function requireKeyAccess(
  { principal, actions, secretArn, versionId, kmsKeyId }: KeyUse,
  keys: SecretKeys,
  { authorize, stack }: Access,
): void {
  const key = keys.get(secretArn);
  if (key === undefined || (kmsKeyId !== undefined && keyArn(kmsKeyId, secretArn, keys) !== key)) {
    return;
  }
  const context = keyContext(versionId, stack);
  for (const action of actions) {
    if (!authorize({ principal, action, resource: key, context }).allowed) {
      throw new AwsError(400, 'AccessDeniedException', 'Access to KMS is not allowed');
    }
  }
}
