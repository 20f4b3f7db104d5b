import { secretsManagerClient } from '../deployment/aws-clients.ts';
import type { Deployment } from '../deployment/deployment.ts';

/** When the signing keys rotate by themselves, and whether a rotation is under way. */
interface KeyRotation {
  /** Days from one rotation to the next. Undefined without a schedule: the keys then do not rotate by themselves. */
  readonly everyDays: number | undefined;
  readonly next: Date | undefined;
  /** The rotation that has begun and not ended. */
  readonly underWay: { readonly since: Date } | undefined;
}

/** Reads the rotation schedule of the signing keys from Secrets Manager. */
export async function readKeyRotation(deployment: Deployment): Promise<KeyRotation> {
  const secrets = await secretsManagerClient(deployment);
  const secret = await secrets.describeSecret({ SecretId: deployment.outputs.SigningKeySecretArn });
  // A rotation has a version with the label AWSPENDING that is not current (Secrets Manager, "Rotation status").
  const isUnderWay = Object.values(secret.VersionIdsToStages ?? {}).some(
    (stages) => stages.includes('AWSPENDING') && !stages.includes('AWSCURRENT'),
  );
  return {
    everyDays: secret.RotationEnabled ? secret.RotationRules?.AutomaticallyAfterDays : undefined,
    next: secret.NextRotationDate,
    underWay: isUnderWay ? { since: secret.LastChangedDate ?? new Date(0) } : undefined,
  };
}
