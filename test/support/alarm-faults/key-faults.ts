import { RotateSecretCommand, SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import { rotateSigningKey } from '../../../cli/operations/signing-keys.ts';
import { type AlarmFault, endFaults, requireStatus } from './alarm-fault.ts';
import { type ApiPart, apiParts, type FaultyStack, until } from './faulty-stack.ts';

const page = 'KeysInTrouble';

const second = 1000;
const minute = 60 * second;
const day = 24 * 60 * minute;

function refreshesFailed(part: ApiPart): AlarmFault {
  return {
    alarm: 'RefreshesFailed',
    fault: `Secrets Manager answers every call with 500 while ${part} wants to refresh its keys`,
    follows: [],
    page,
    stack: 'usual',
    cause: async ({ setFaults, token, request, clock }) => {
      const known = await token();
      requireStatus('a request', await request(part, known), 200);
      setFaults({ secretsmanager: 'failing' });
      // A copy is refreshed after five minutes, and a refresh that failed is repeated after ten seconds.
      for (const pause of [5 * minute, 11 * second, 11 * second]) {
        clock.advance(pause);
        requireStatus('a request', await request(part, known), 200);
      }
    },
    mend: endFaults,
  };
}

const signingKeyTooOld: AlarmFault = {
  alarm: 'SigningKeyTooOld',
  fault: 'The keys are not rotated for 93 days, and a client gets a token',
  follows: [],
  page,
  stack: 'usual',
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
  stack: 'usual',
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

export const keyFaults: readonly AlarmFault[] = [
  ...apiParts.map(refreshesFailed),
  signingKeyTooOld,
  rotationFailed,
];
