import {
  GetSecretValueCommand,
  type GetSecretValueCommandInput,
  SecretsManagerClient,
} from '@aws-sdk/client-secrets-manager';
import { createClock } from 'cloud-assembly-emulator';
import { createRemoteJWKSet, jwtVerify } from 'jose';
import { describe, expect, test } from 'vitest';
import { keyStages, parseSigningKey } from '../../../storage/signing-keys.ts';
import { secretsManagerClient } from '../../../tools/operator/deployment/aws-clients.ts';
import { diagnose } from '../../../tools/operator/doctor/diagnose.ts';
import { revokeAllSigningKeys, revokeSigningKey } from '../../../tools/operator/signing-keys/revoke.ts';
import { rotateSigningKey } from '../../../tools/operator/signing-keys/signing-key.ts';
import { createApiUser } from '../../support/api-user.ts';
import { signToken } from '../../support/forged-token.ts';
import type { RunningStack } from '../../support/running-stack.ts';
import { useRunningStack } from '../../support/use-running-stack.ts';

const minute = 60_000;

type Version = Pick<GetSecretValueCommandInput, 'VersionId' | 'VersionStage'>;

/** What a thief reads with the rights of a function. A read that is refused gives the name of the error. */
async function startTheft() {
  const clock = createClock();
  const stack = await useRunningStack({ clock });
  const { deployment, resources, baseUrl } = stack;
  const user = await createApiUser(stack);
  const clientOf = (functionId: string) => {
    const role = resources.find(
      ({ type, logicalId }) => type === 'AWS::IAM::Role' && logicalId.startsWith(functionId),
    );
    const credentials = stack.credentialsForRole(role?.attributes.Arn ?? '', 'thief');
    return new SecretsManagerClient({ ...deployment.awsConfig, credentials });
  };
  const [token, signingKeys] = [clientOf('TokenRole'), clientOf('RotationRotateRole')];
  const read = async (client: SecretsManagerClient, input: Version) => {
    const command = new GetSecretValueCommand({ SecretId: deployment.outputs.SigningKeySecretArn, ...input });
    const { SecretString = '', VersionId } = await client.send(command);
    return { ...parseSigningKey(SecretString), version: VersionId };
  };
  const refusal = (input: Version) =>
    read(token, input).then(
      () => 'read',
      (error: Error) => error.name,
    );
  const jwks = createRemoteJWKSet(new URL(`${baseUrl}/.well-known/jwks.json`), {
    // The clock of this process does not move: the test reads the set again.
    cacheMaxAge: Number.POSITIVE_INFINITY,
    cooldownDuration: Number.POSITIVE_INFINITY,
  });
  await jwks.reload();
  /** Statuses of a token on the API and at a verifier that has a key set of its own. */
  const tries = async (accessToken: string) => {
    const headers = { authorization: `Bearer ${accessToken}` };
    const { status } = await fetch(`${baseUrl}/v0/volumes`, { headers });
    const verified = await jwtVerify(accessToken, jwks, { currentDate: new Date(clock.now()) }).then(
      () => 200,
      () => 401,
    );
    return [status, verified];
  };
  const forged = (key: Awaited<ReturnType<typeof read>>['key']) => {
    const now = Math.floor(clock.now() / 1000);
    return signToken({ jwk: key, kid: key.kid, alg: key.alg }, baseUrl, {
      claims: { iat: now, exp: now + 3600 },
    });
  };
  const honest = async () =>
    ((await (await user.requestToken()).json()) as { access_token: string }).access_token;
  return { stack, clock, token, signingKeys, read, refusal, jwks, tries, forged, honest };
}

test('token can read the private key that signs, and no other version', async () => {
  const { token, signingKeys, read, refusal } = await startTheft();
  const current = await read(token, { VersionStage: keyStages.current });
  const next = await read(signingKeys, { VersionStage: keyStages.next });

  expect(next.version).toBe(current.next);
  const inputs: Version[] = [
    {},
    { VersionId: current.version },
    { VersionId: next.version },
    { VersionStage: keyStages.next },
    { VersionStage: 'PROPOSED_NEXT' },
    { VersionStage: 'AWSPENDING' },
    { VersionStage: 'AWSPREVIOUS' },
  ];
  expect(await Promise.all(inputs.map(refusal))).toEqual(inputs.map(() => 'AccessDeniedException'));
  const both = { VersionId: next.version, VersionStage: keyStages.current };
  expect(await refusal(both)).toBe('InvalidRequestException');
});

/** Statuses of the API and of a verifier, for tokens of the current key, of the next key, and of the service. */
const before = [
  [200, 200],
  [200, 200],
  [200, 200],
];

/** The rows: immediately, after 6 minutes, and after 12, when the verifier has read the key set again. */
test.for([
  [
    'revoke KID ends the current key, and the next key, which token could not read, signs',
    [
      before,
      [
        [401, 200],
        [200, 200],
        [200, 200],
      ],
      [
        [401, 401],
        [200, 200],
        [200, 200],
      ],
    ],
    (stack: RunningStack, kid: string) => revokeSigningKey(stack.deployment, kid),
  ],
  [
    'revoke-all ends both keys, and verifiers refuse new tokens for minutes',
    [
      before,
      [
        [401, 200],
        [401, 200],
        [200, 401],
      ],
      [
        [401, 401],
        [401, 401],
        [200, 200],
      ],
    ],
    (stack: RunningStack) => revokeAllSigningKeys(stack.deployment),
  ],
] as const)('%s', async ([, rows, revoke]) => {
  const { stack, clock, token, signingKeys, read, jwks, tries, forged, honest } = await startTheft();
  const current = await read(token, { VersionStage: keyStages.current });
  const next = await read(signingKeys, { VersionStage: keyStages.next });
  const look = async () => [
    await tries(await forged(current.key)),
    await tries(await forged(next.key)),
    await tries(await honest()),
  ];
  expect(await look()).toEqual(before);

  await revoke(stack, current.key.kid);

  const seen = [await look()];
  clock.advance(6 * minute);
  seen.push(await look());
  clock.advance(6 * minute);
  await jwks.reload();
  seen.push(await look());
  expect(seen).toEqual(rows);
  expect((await read(token, { VersionStage: keyStages.current })).key.kid).not.toBe(current.key.kid);
});

describe('the policy of the private keys', () => {
  test('denies an operator another KMS key, a value and the move of a label', async () => {
    const { stack, signingKeys, read, secrets, SecretId, KmsKeyId } = await startOperation();
    const current = await read(signingKeys, { VersionStage: keyStages.current });
    const nextVersion = current.next ?? '';
    const move = {
      VersionStage: 'AWSCURRENT',
      RemoveFromVersionId: current.version,
      MoveToVersionId: nextVersion,
    };

    const denied = expect.objectContaining({ name: 'AccessDeniedException' });
    await expect(secrets.updateSecret({ SecretId, KmsKeyId: 'alias/aws/secretsmanager' })).rejects.toEqual(
      denied,
    );
    await expect(secrets.putSecretValue({ SecretId, SecretString: '{}' })).rejects.toEqual(denied);
    await expect(secrets.updateSecretVersionStage({ SecretId, ...move })).rejects.toEqual(denied);
    await secrets.updateSecret({ SecretId, KmsKeyId });
    expect((await read(signingKeys, { VersionStage: keyStages.current })).version).toBe(current.version);
    expect(stack.awsLog.filter(({ by }) => by === 'the resource policy').length).toBeGreaterThanOrEqual(3);
  });

  test('once it is gone and the KMS key is moved, nothing is written, and doctor says so', async () => {
    const { stack, secrets, SecretId, KmsKeyId } = await startOperation();
    const versions = async () => (await secrets.describeSecret({ SecretId })).VersionIdsToStages;
    stack.usePolicies(stack.resources.filter(({ type }) => type !== 'AWS::SecretsManager::ResourcePolicy'));
    await secrets.updateSecret({ SecretId, KmsKeyId: 'alias/aws/secretsmanager' });
    const found = await versions();

    await expect(revokeAllSigningKeys(stack.deployment)).rejects.toThrow(
      /encrypted with alias\/aws\/secretsmanager, not .* No private key was written/s,
    );
    expect(await versions()).toEqual(found);
    const findings = await diagnose(stack.deployment, 'local');
    expect(findings.find(({ check }) => check === 'signing keys')).toMatchObject({ state: 'failed' });

    await secrets.updateSecret({ SecretId, KmsKeyId });
    await revokeAllSigningKeys(stack.deployment);
    const mended = await diagnose(stack.deployment, 'local');
    expect(mended.find(({ check }) => check === 'signing keys')).toMatchObject({ state: 'ok' });
  });

  test('lets a deployment, a rotation and a revocation through', async () => {
    const { stack, secrets, SecretId } = await startOperation();
    await stack.makeCustomResources();
    await expect(rotateSigningKey(stack.deployment)).resolves.toHaveLength(3);
    const { VersionIdsToStages = {} } = await secrets.describeSecret({ SecretId });
    expect(Object.values(VersionIdsToStages).flat().toSorted()).toEqual(
      expect.arrayContaining(['AWSCURRENT', 'AWSPREVIOUS', 'NEXT']),
    );
    await expect(revokeAllSigningKeys(stack.deployment)).resolves.toHaveLength(3);
  });
});

/** What a thief can try, and the calls of an operator. */
async function startOperation() {
  const theft = await startTheft();
  const { deployment } = theft.stack;
  const { SigningKeySecretArn: SecretId, SigningKeyKmsKeyArn: KmsKeyId } = deployment.outputs;
  return { ...theft, secrets: await secretsManagerClient(deployment), SecretId, KmsKeyId };
}
