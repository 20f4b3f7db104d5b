import { GetSecretValueCommand, type SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import { InternalError } from './log.ts';

/** Reads the current value of a secret. */
export async function readSecret(client: SecretsManagerClient, secretArn: string): Promise<string> {
  const { SecretString } = await client.send(new GetSecretValueCommand({ SecretId: secretArn }));
  if (SecretString === undefined) {
    throw new InternalError(`Secret has no text: ${secretArn}`);
  }
  return SecretString;
}
