import { RotateSecretCommand, SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import { rotateSigningKey } from '../../../cli/operations/signing-keys.ts';
import { type AlarmFault, endFaults, requireStatus } from './alarm-fault.ts';
import { type FaultyStack, until } from './faulty-stack.ts';

const page = 'KeysInTrouble';

const second = 1000;
const minute = 60 * second;
const day = 24 * 60 * minute;

const refreshesFailed: AlarmFault = {
  alarm: 'RefreshesFailed',
  fault: 'Secrets Manager answers every call with 500 while functions want to refresh their keys',
  follows: [],
  page,
  cause: async ({ stack, setFaults, token, clock }) => {
    const authorization = `Bearer ${await token()}`;
    const list = async () => {
      const { status } = await fetch(`${stack.baseUrl}/v0/volumes`, { headers: { authorization } });
      requireStatus('a request for the volumes', status, 200);
    };
    await list();
    setFaults({ secretsmanager: 'failing' });
    // A copy is refreshed after five minutes, and a refresh that failed is repeated after ten seconds.
    for (const pause of [5 * minute, 11 * second, 11 * second]) {
      clock.advance(pause);
      await list();
    }
  },
  mend: endFaults,
};

const signingKeyTooOld: AlarmFault = {
  alarm: 'SigningKeyTooOld',
  fault: 'The keys are not rotated for 93 days, and a client gets a token',
  follows: [],
  page,
  cause: async ({ clock, requestToken }) => {
    clock.advance(93 * day);
    requireStatus('a request for a token', await requestToken(), 200);
  },
  mend: async (faulty) => {
    await rotate(faulty);
    // By then no function signs with an older copy of the keys.
    faulty.clock.advance(6 * minute);
    requireStatus('a request for a token', await faulty.requestToken(), 200);
  },
};

const rotationFailed: AlarmFault = {
  alarm: 'RotationFailed',
  fault: 'Secrets Manager answers writes with 500 while the keys are rotated',
  follows: [],
  page,
  cause: async ({ stack, setFaults, errors, functionName }) => {
    const before = errors.length;
    setFaults({ secretsmanager: [{ fault: 'failing', operation: 'PutSecretValue' }] });
    const secrets = new SecretsManagerClient(stack.deployment.awsConfig);
    await secrets.send(new RotateSecretCommand({ SecretId: stack.deployment.outputs.SigningKeySecretArn }));
    secrets.destroy();
    await until('the rotation failed', () => errors.slice(before).includes(functionName('rotation')));
  },
  mend: async (faulty) => {
    await endFaults(faulty);
    await rotate(faulty);
  },
};

/** Secrets Manager finishes a rotation that failed before it begins another one. */
async function rotate({ stack }: FaultyStack): Promise<void> {
  await until('the keys were rotated', () =>
    rotateSigningKey(stack.deployment).then(
      () => true,
      () => false,
    ),
  );
}

export const keyFaults: readonly AlarmFault[] = [refreshesFailed, signingKeyTooOld, rotationFailed];
