import { type GetSecretValueCommandInput, SecretsManager } from '@aws-sdk/client-secrets-manager';
import { expect, test } from 'vitest';
import { keyStages, parseSigningKey } from '../../../storage/signing-keys.ts';
import { useRunningStack } from '../../support/use-running-stack.ts';

const { current: VersionStage } = keyStages;
type Version = Pick<GetSecretValueCommandInput, 'VersionId' | 'VersionStage'>;

const stack = await useRunningStack();

/** Returns a function that reads the private keys with the rights of a role. */
function readerAs(roleId: string) {
  const role = stack.resources.find(
    ({ type, logicalId }) => type === 'AWS::IAM::Role' && logicalId.startsWith(roleId),
  );
  const credentials = stack.credentialsForRole(role?.attributes.Arn ?? '', 'thief');
  const client = new SecretsManager({ ...stack.deployment.awsConfig, credentials });
  const { SigningKeySecretArn: SecretId } = stack.deployment.outputs;
  return async (input: Version) => {
    const { SecretString = '', VersionId } = await client.getSecretValue({ SecretId, ...input });
    return { ...parseSigningKey(SecretString), version: VersionId };
  };
}

test('token can read the private key that signs, and no other version', async () => {
  const readAsToken = readerAs('TokenRole');
  const current = await readAsToken({ VersionStage });
  const next = await readerAs('RotationRotateRole')({ VersionStage: keyStages.next });
  const rejection = (input: Version) => readAsToken(input).catch(({ name }: Error) => name);

  expect(next.version).toBe(current.next);
  const stages = [keyStages.next, 'PROPOSED_NEXT', 'AWSPENDING', 'AWSPREVIOUS'];
  const inputs: Version[] = [
    {},
    { VersionId: current.version },
    { VersionId: next.version },
    ...stages.map((stage) => ({ VersionStage: stage })),
  ];
  expect(await Promise.all(inputs.map(rejection))).toEqual(inputs.map(() => 'AccessDeniedException'));
  expect(await rejection({ VersionId: next.version, VersionStage })).toBe('InvalidRequestException');
});
