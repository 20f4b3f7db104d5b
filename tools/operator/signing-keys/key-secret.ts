import { keyStages } from '../../../storage/signing-keys.ts';
import { secretsManagerClient } from '../deployment/aws-clients.ts';
import type { Deployment } from '../deployment/deployment.ts';

/**
 * Metadata of the secret of the private keys in Secrets Manager: its schedule, its labels and its KMS key.
 */
export interface KeySecret {
  /**
   * Days from one rotation to the next. Undefined without a schedule: the keys are then not rotated
   * automatically.
   */
  readonly everyDays: number | undefined;
  readonly next: Date | undefined;
  /** Rotation in progress. */
  readonly underWay: { readonly since: Date } | undefined;
  /** Versions of the secret with the current key and with the next key. */
  readonly versions: Readonly<Record<keyof typeof keyStages, string | undefined>>;
  /** KMS key of the secret. Undefined for the default key of Secrets Manager. */
  readonly kmsKeyId: string | undefined;
}

/** Reads the metadata of the secret of the private keys. No operator can read the keys. */
export async function readKeySecret(deployment: Deployment): Promise<KeySecret> {
  const secrets = await secretsManagerClient(deployment);
  const secret = await secrets.describeSecret({ SecretId: deployment.outputs.SigningKeySecretArn });
  const labels = Object.entries(secret.VersionIdsToStages ?? {});
  const versionWith = (stage: string) => labels.find(([, stages]) => stages.includes(stage))?.[0];
  // During a rotation, the label AWSPENDING is on a version that is not current (Secrets Manager, "Rotation
  // status").
  const isUnderWay = labels.some(
    ([, stages]) => stages.includes('AWSPENDING') && !stages.includes(keyStages.current),
  );
  return {
    everyDays: secret.RotationEnabled ? secret.RotationRules?.AutomaticallyAfterDays : undefined,
    next: secret.NextRotationDate,
    underWay: isUnderWay ? { since: secret.LastChangedDate ?? new Date(0) } : undefined,
    versions: { current: versionWith(keyStages.current), next: versionWith(keyStages.next) },
    kmsKeyId: secret.KmsKeyId,
  };
}
