import { join } from 'node:path';
import { type Access, requireAllowed } from '../iam/authorize.ts';
import { lambda } from '../lambda/service.ts';
import type { LambdaSettings } from '../lambda/settings.ts';
import type { AwsService } from '../registry/aws-service.ts';
import { ofType, type Resource } from '../shared/resource-type.ts';
import { collectSecretKeys, keyContext } from './access.ts';
import { createSecretsManager } from './operations.ts';
import { resourcePolicyType, secretPolicies, secretType } from './resource-types.ts';
import { createRotation } from './rotation.ts';
import { openSecretStore } from './store.ts';

/** Secrets Manager. Each secret is a file. */
export const secretsManager = {
  resourceTypes: [secretType, resourcePolicyType],
  policies: secretPolicies,
  checkDeployment,
  start: async (emulator, use) => {
    const { stateDirectory, resources, stack, now } = emulator;
    const store = await openSecretStore(join(stateDirectory, 'secrets'), resources, stack, now);
    const keys = collectSecretKeys(resources);
    const { invoke } = await use(lambda);
    const rotation = createRotation({ ...emulator, store, keys, invoke });
    return {
      endpoint: {
        protocol: 'json',
        name: 'secretsmanager',
        target: 'secretsmanager',
        version: '1.1',
        serve: createSecretsManager({ ...emulator, store, keys, rotation }),
      },
      begin: rotation.start,
      stop: rotation.stop,
    };
  },
} satisfies AwsService<LambdaSettings>;

/**
 * Actions of CloudFormation on a secret and its policy when a stack is created, changed, rolled back and
 * deleted.
 */
const deploymentActions = [
  'DeleteResourcePolicy',
  'DeleteSecret',
  'DescribeSecret',
  'GetResourcePolicy',
  'PutResourcePolicy',
  'TagResource',
  'UntagResource',
  'UpdateSecret',
];

/**
 * Checks the permissions of the deployer, with which CloudFormation changes a secret. An update names the key
 * of the template. Secrets Manager tests the key of a secret with the permissions of the deployer. The
 * encryption context of the test contains a special version ID (Secrets Manager User Guide, "Secret
 * encryption and decryption").
 */
function checkDeployment(resources: readonly Resource[], access: Access): void {
  const { authorize, stack } = access;
  const principal = { kind: 'operator' } as const;
  const keys = collectSecretKeys(resources);
  for (const { ref } of ofType(resources, secretType)) {
    const key = keys.get(ref);
    for (const name of deploymentActions) {
      const call = { principal, action: `secretsmanager:${name}`, resource: ref };
      requireAllowed(
        { ...call, context: key === undefined ? {} : { 'secretsmanager:KmsKeyArn': key } },
        access,
      );
      requireAllowed(call, access);
    }
  }
  const context = keyContext('RequestToValidateKeyAccess', stack);
  for (const [secretArn, resource] of keys) {
    for (const action of ['kms:GenerateDataKey', 'kms:Decrypt']) {
      if (!authorize({ principal, action, resource, context }).allowed) {
        throw new Error(`${secretArn}: Access to KMS is not allowed (${action})`);
      }
    }
  }
}
