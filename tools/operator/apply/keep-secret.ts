import type { KeepSecret } from '../clients/client.ts';
import { secretsManagerClient } from '../deployment/aws-clients.ts';
import type { Deployment } from '../deployment/deployment.ts';
import { OperationError } from '../errors.ts';

/**
 * Stores client secrets in AWS Secrets Manager, under the prefix and the client ID: JSON with the settings of an
 * application. Never replaces a secret: another apply that failed or runs now may have stored it for the same client,
 * which then gets that secret.
 */
export function keepIn(deployment: Deployment, prefix: string): KeepSecret {
  return async (clientId, secret) => {
    const secrets = await secretsManagerClient(deployment);
    const Name = `${prefix}${clientId}`;
    const textOf = (value: string) =>
      JSON.stringify({
        FILE_SYNC_BASE_URL: deployment.outputs.BaseUrl,
        FILE_SYNC_CLIENT_ID: clientId,
        FILE_SYNC_CLIENT_SECRET: value,
      });
    await secrets.createSecret({ Name, SecretString: textOf(secret) }).catch((error: Error) => {
      if (error.name !== 'ResourceExistsException') {
        throw error;
      }
    });
    const { SecretString = '' } = await secrets.getSecretValue({ SecretId: Name });
    const [kept = ''] = /fss_[\w-]+/.exec(SecretString) ?? [];
    if (SecretString !== textOf(kept)) {
      throw new OperationError(
        `The secret ${Name} in Secrets Manager belongs to another application or stack. Choose another prefix.`,
      );
    }
    return kept;
  };
}
