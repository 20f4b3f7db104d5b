import type { Authorize } from '../iam/authorize.ts';
import type { Principal } from '../iam/principal.ts';
import { functionType } from '../lambda/resource-types.ts';
import type { StackIdentity } from '../shared/names.ts';
import { ofType, type Resource } from '../shared/resource-type.ts';
import { requireKeyAccess, type SecretKeys } from './access.ts';
import { addPendingVersion, removeVersion, type Secret } from './secret.ts';
import type { SecretStore } from './store.ts';

/**
 * How Secrets Manager tests a rotation function when a schedule is set without rotating. The API reference of RotateSecret
 * (RotateImmediately) says that it makes a version with AWSPENDING, invokes `testSecret`, and removes the version. It
 * says nothing about the rest, so each possibility can be chosen.
 */
export interface RotationTest {
  /** What the version holds: nothing, or what AWSCURRENT holds. With `none`, no version is made. */
  readonly pending: 'empty' | 'copy' | 'none';
  /** With whose rights the version is encrypted. */
  readonly rights: 'caller' | 'function';
  /** Whether `testSecret` is invoked before RotateSecret answers, or after. */
  readonly invoked: 'before' | 'after';
  /** Whether the version is removed when the test has ended, as documented, or left. */
  readonly afterwards: 'removed' | 'left';
}

/** What is documented, and of the rest what asks most of the function and of whoever sets the schedule. */
export const documentedRotationTest: RotationTest = {
  pending: 'empty',
  rights: 'caller',
  invoked: 'before',
  afterwards: 'removed',
};

export interface RotationTestParts {
  readonly store: SecretStore;
  readonly resources: readonly Resource[];
  readonly keys: SecretKeys;
  readonly authorize: Authorize;
  readonly stack: StackIdentity;
  readonly now: () => Date;
  readonly rotationTest: RotationTest;
}

/**
 * Makes the version of the test.
 *
 * @throws {AwsError} AccessDeniedException when whoever encrypts it may not use the key of the secret
 */
export async function makeTestVersion(
  parts: RotationTestParts,
  test: { readonly caller: Principal; readonly secretArn: string; readonly versionId: string },
  functionArn: string,
): Promise<void> {
  const { store, keys, authorize, stack, now, rotationTest } = parts;
  const { secretArn, versionId } = test;
  if (rotationTest.pending === 'none') {
    return;
  }
  const principal =
    rotationTest.rights === 'caller' ? test.caller : roleOfFunction(functionArn, parts.resources);
  const actions = ['kms:GenerateDataKey', 'kms:Decrypt'];
  requireKeyAccess({ principal, actions, secretArn, versionId }, keys, authorize, stack);
  await store.change(secretArn, (secret) => {
    const value = rotationTest.pending === 'copy' ? currentValue(secret) : undefined;
    return addPendingVersion(secret, versionId, now().getTime(), value);
  });
}

/** Removes the version when the test has ended, unless it is to be left. */
export async function endTest(
  { store, rotationTest }: RotationTestParts,
  secretArn: string,
  versionId: string,
): Promise<void> {
  if (rotationTest.afterwards === 'removed') {
    await store.change(secretArn, (secret) => removeVersion(secret, versionId));
  }
}

function currentValue(secret: Secret) {
  return secret.versions.find(({ stages }) => stages.includes('AWSCURRENT'))?.value;
}

function roleOfFunction(functionArn: string, resources: readonly Resource[]): Principal {
  const lambda = ofType(resources, functionType).find(({ attributes }) => attributes.Arn === functionArn);
  return { kind: 'session', roleArn: lambda?.properties.Role ?? '', sessionName: lambda?.ref ?? '' };
}
