import type { KeepSecret } from '../clients/client.ts';
import { secretsManagerClient } from '../deployment/aws-clients.ts';
import type { Deployment } from '../deployment/deployment.ts';

/**
 * Stores client secrets in AWS Secrets Manager, under the prefix and the client ID: JSON with the settings of an
 * application. An existing secret gets a new version.
 */
export function keepIn(deployment: Deployment, prefix: string): KeepSecret {
  return async (clientId, secret) => {
    const secrets = await secretsManagerClient(deployment);
    const Name = `${prefix}${clientId}`;
    const SecretString = JSON.stringify({
      FILE_SYNC_BASE_URL: deployment.outputs.BaseUrl,
      FILE_SYNC_CLIENT_ID: clientId,
      FILE_SYNC_CLIENT_SECRET: secret,
    });
    try {
      await secrets.createSecret({ Name, SecretString });
    } catch (error) {
      if (!(error instanceof Error && error.name === 'ResourceExistsException')) {
        throw error;
      }
      await secrets.putSecretValue({ SecretId: Name, SecretString });
    }
  };
}
