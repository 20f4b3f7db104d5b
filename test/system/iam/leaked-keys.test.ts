import { type GetSecretValueCommandInput, SecretsManager } from '@aws-sdk/client-secrets-manager';
import { createClock } from 'cloud-assembly-emulator';
import { createRemoteJWKSet, jwtVerify } from 'jose';
import { keyStages, parseSigningKey } from '../../../storage/signing-keys.ts';
import type { Deployment } from '../../../tools/operator/deployment/deployment.ts';
import { revokeSigningKeys, rotateSigningKey } from '../../../tools/operator/signing-keys/signing-key.ts';
import { createApiUser } from '../../support/api-user.ts';
import { signToken } from '../../support/forged-token.ts';
import { useRunningStack } from '../../support/use-running-stack.ts';

const minutes = 60_000;
const { current: VersionStage } = keyStages;
type Version = Pick<GetSecretValueCommandInput, 'VersionId' | 'VersionStage'>;

/** Starts a stack, and a thief with the rights of its functions. */
async function startTheft() {
  const clock = createClock();
  const stack = await useRunningStack({ clock });
  const { SigningKeySecretArn: SecretId } = stack.deployment.outputs;
  const readerAs = (roleId: string) => {
    const role = stack.resources.find(
      ({ type, logicalId }) => type === 'AWS::IAM::Role' && logicalId.startsWith(roleId),
    );
    const credentials = stack.credentialsForRole(role?.attributes.Arn ?? '', 'thief');
    const client = new SecretsManager({ ...stack.deployment.awsConfig, credentials });
    return async (input: Version) => {
      const { SecretString = '', VersionId } = await client.getSecretValue({ SecretId, ...input });
      return { ...parseSigningKey(SecretString), version: VersionId };
    };
  };
  const readAsToken = readerAs('TokenRole');
  const current = await readAsToken({ VersionStage });
  const next = await readerAs('RotationRotateRole')({ VersionStage: keyStages.next });
  return { stack, clock, readAsToken, current, next };
}

test('token can read the private key that signs, and no other version', async () => {
  const { readAsToken, current, next } = await startTheft();
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

/**
 * Each row contains the statuses of three tokens, of the current key, of the next key and of the service: at
 * the API, and at a verifier. The rows: after 6 minutes, and after 12, when the verifier has read the key set
 * again.
 */
test.for([
  [
    'a rotation ends no key',
    ['200 200, 200 200, 200 200', '200 200, 200 200, 200 200'],
    (deployment: Deployment) => rotateSigningKey(deployment),
  ],
  [
    'revoke KID ends the current key, and the next key, which token could not read, signs',
    ['401 200, 200 200, 200 200', '401 401, 200 200, 200 200'],
    (deployment: Deployment, kid: string) => revokeSigningKeys(deployment, { action: 'revoke', kid }),
  ],
  [
    'revoke-all ends both keys, and verifiers reject new tokens for minutes',
    ['401 200, 401 200, 200 401', '401 401, 401 401, 200 200'],
    (deployment: Deployment) => revokeSigningKeys(deployment, { action: 'revoke-all' }),
  ],
] as const)('%s', async ([, rows, change]) => {
  const { stack, clock, readAsToken, current, next } = await startTheft();
  const { baseUrl } = stack;
  const { newToken, volumes } = await createApiUser(stack);
  // The clock of this process does not advance, so the test reads the set again itself.
  const never = { cacheMaxAge: Number.POSITIVE_INFINITY, cooldownDuration: Number.POSITIVE_INFINITY };
  const jwks = createRemoteJWKSet(new URL(`${baseUrl}/.well-known/jwks.json`), never);
  await jwks.reload();
  const forge = ({ key }: typeof current) => {
    const iat = Math.floor(clock.now() / 1000);
    return signToken({ jwk: key, ...key }, baseUrl, { claims: { iat, exp: iat + 3600 } });
  };
  const tries = async (token: string) => {
    const { status } = await volumes(token);
    const verified = await jwtVerify(token, jwks, { currentDate: new Date(clock.now()) }).catch(
      () => undefined,
    );
    return `${status} ${verified ? 200 : 401}`;
  };
  const look = async () => {
    const own = await newToken();
    return (await Promise.all([await forge(current), await forge(next), own].map(tries))).join(', ');
  };
  const seen = [await look()];

  await change(stack.deployment, current.key.kid);

  seen.push(await look());
  clock.advance(6 * minutes);
  seen.push(await look());
  clock.advance(6 * minutes);
  await jwks.reload();
  seen.push(await look());
  const before = '200 200, 200 200, 200 200';
  // Functions still cache the previous key set.
  expect(seen).toEqual([before, before, ...rows]);
  expect((await readAsToken({ VersionStage })).key.kid).not.toBe(current.key.kid);
});
