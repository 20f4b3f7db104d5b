import { allow, policy, resource } from 'cloud-assembly-emulator/test/aws-services';

/** Both secrets of the function, and the key of the private one, for the emulator. */
export const kmsKey = resource('Key', 'AWS::KMS::Key', {
  KeyPolicy: policy({ ...allow('kms:*', '*'), Principal: { AWS: 'arn:aws:iam::000000000000:root' } }),
});
export const privateSecret = resource('SigningKey', 'AWS::SecretsManager::Secret', { KmsKeyId: kmsKey.ref });
export const publicSecret = resource('KeySet', 'AWS::SecretsManager::Secret', {});

export const arns = {
  signingKey: privateSecret.ref,
  keySet: publicSecret.ref,
  kmsKey: kmsKey.attributes.Arn ?? '',
};
