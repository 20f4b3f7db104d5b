import type { Access } from '../iam/authorize.ts';
import type { AwsService } from '../registry/aws-service.ts';
import { ofType, type Resource } from '../shared/resource-type.ts';
import { keyPolicies, keyType } from './resource-types.ts';

/**
 * KMS. It serves no calls: Secrets Manager checks the permissions on a key when it reads or writes a secret.
 */
export const kms = { resourceTypes: [keyType], policies: keyPolicies, checkDeployment } satisfies AwsService;

/**
 * KMS rejects a key whose policy allows nobody to change the policy (KMS API reference, CreateKey, Policy).
 */
function checkDeployment(resources: readonly Resource[], { authorize }: Access): void {
  for (const { logicalId, attributes } of ofType(resources, keyType)) {
    const principal = { kind: 'operator' } as const;
    const change = { principal, action: 'kms:PutKeyPolicy', resource: attributes.Arn ?? '' };
    if (!authorize(change).allowed) {
      throw new Error(
        `${logicalId}: the key policy would not allow anybody to update the key policy in the future`,
      );
    }
  }
}
