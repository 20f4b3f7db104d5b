import { askVolumes, put, shortly } from '../http.ts';
import { holderOf, isQuiet, waitForSecret } from '../observe-rotation.ts';
import type { Refusal } from '../operator.ts';
import { judge, NotChecked } from '../outcome.ts';
import type { World } from '../world.ts';
import type { Check } from './check.ts';

/** Roles, KMS, Secrets Manager and the custom resource that makes the first key. */
export const keyFacts: readonly Check[] = [
  { id: 'sts-role-chaining', must: true, look: lookAtSession },
  { id: 'sts-assume-role-answer', must: true, look: lookAtCredentials },
  { id: 'kms-key-policy', must: true, look: lookAtKeyPolicy },
  { id: 'secrets-kms-rights', must: true, look: lookAtRightsOfCaller },
  { id: 'cloudformation-custom-resource', must: true, look: lookAtFirstKey },
  { id: 'secrets-rotate-later-test', must: false, needs: 'rotation', look: lookAtScheduling },
  { id: 'secrets-rotation-kms-rights', must: false, needs: 'rotation', look: lookAtRightsOfRotation },
  { id: 'secrets-stage-compare-and-swap', must: true, look: lookAtBlindMove },
];

async function lookAtSession(world: World) {
  const { url } = await world.issue();
  const seconds = Number(url.searchParams.get('X-Amz-Expires'));
  const hasSession = url.searchParams.has('X-Amz-Security-Token');
  const answer = await put(world, url);
  const holds = hasSession && seconds > 0 && seconds <= 3600 && answer.status === 200;
  return judge(
    holds,
    `An upload URL of ${seconds} s, ${hasSession ? '' : 'not '}signed by a session, got ${shortly(answer)}. ` +
      'That a longer session is refused cannot be seen from outside.',
  );
}

async function lookAtCredentials({ issue }: World) {
  const { url } = await issue();
  const keyId = /^[A-Z0-9]{16,128}\/\d{8}\/[a-z0-9-]+\/s3\/aws4_request$/;
  const fields = {
    'an access key id': keyId.test(url.searchParams.get('X-Amz-Credential') ?? ''),
    'a session token': (url.searchParams.get('X-Amz-Security-Token') ?? '') !== '',
    'a signature': /^[0-9a-f]{64}$/.test(url.searchParams.get('X-Amz-Signature') ?? ''),
  };
  const seen = Object.entries(fields).map(([name, there]) => `${there ? 'has' : 'lacks'} ${name}`);
  return judge(Object.values(fields).every(Boolean), `An upload URL ${seen.join(', ')}.`);
}

/** Secrets Manager passes the refusal of KMS on in this sentence. Another refusal says nothing about the key. */
function isOfKey({ name, message }: Refusal): boolean {
  return name.startsWith('AccessDenied') && /\bkms\b/i.test(message);
}

async function tryToRead({ operator }: World) {
  const refusal = await operator.tryToReadPrivateKeys();
  if (refusal !== undefined && !isOfKey(refusal)) {
    throw new NotChecked(
      `These credentials may not ask for the secret at all (${refusal.name}), so its key was not asked. ` +
        'Run this as an administrator, or leave the fact out with --skip.',
    );
  }
  return refusal;
}

async function lookAtKeyPolicy(world: World) {
  const refusal = await tryToRead(world);
  return judge(
    refusal !== undefined,
    refusal === undefined
      ? 'These credentials can read the private keys: the key policy of the signing keys lets too many in.'
      : `These credentials may ask for the secret, and the key refused: ${refusal.name}.`,
  );
}

async function lookAtRightsOfCaller(world: World) {
  const refusal = await tryToRead(world);
  const answer = await askVolumes(world, await world.token());
  return judge(
    refusal !== undefined && answer.status === 200,
    `The key ${refusal === undefined ? 'let an operator read' : 'refused an operator'}, and a token that the function signed with it got ${answer.status}.`,
  );
}

async function lookAtFirstKey({ operator }: World) {
  const [status, { kids, signing }] = await Promise.all([operator.stackStatus(), operator.publishedKeys()]);
  // A stack whose last update was rolled back still has what its creation made.
  const complete = status === undefined || /^(CREATE|UPDATE|IMPORT|UPDATE_ROLLBACK)_COMPLETE/.test(status);
  return judge(
    complete && kids.length >= 2 && signing !== '',
    `${status === undefined ? 'A local run has no stack' : `The stack is ${status}`}. It published ${kids.length} keys${signing === '' ? ', none of which signs' : ''}.`,
  );
}

async function lookAtScheduling(world: World) {
  const { operator } = world;
  const before = await operator.signingSecret();
  const refused = await operator.ensureSchedule();
  if (refused?.name === 'CommandError') {
    return judge(false, refused.message);
  }
  if (refused !== undefined) {
    throw new NotChecked(
      `The signing-keys function could not be invoked (${refused.name}: ${refused.message}).`,
    );
  }
  const after = await waitForSecret(world, isQuiet);
  const rotated = holderOf('AWSCURRENT', after) !== holderOf('AWSCURRENT', before);
  const quiet = isQuiet(after);
  const scheduled = before.rotationEnabled
    ? 'The schedule that the function set earlier is on'
    : `The function set a schedule that was lost, and it is ${after.rotationEnabled ? 'on' : 'off'}`;
  return judge(
    after.rotationEnabled && !rotated && quiet,
    `${scheduled}: the key was ${rotated ? '' : 'not '}rotated, and ${quiet ? 'no version is pending' : 'a version stayed pending'}. ` +
      'That testSecret ran can be seen in the log of the function alone (scheduleTested).',
  );
}

async function lookAtRightsOfRotation({ rotation }: World) {
  const { refused } = await rotation();
  return judge(
    refused === undefined,
    refused === undefined
      ? 'An operator without rights to the key began a rotation.'
      : `RotateSecret by an operator without rights to the key got ${refused.name}: ${refused.message}.`,
  );
}

async function lookAtBlindMove({ operator }: World) {
  const refusal = await operator.moveLabelBlindly();
  return judge(
    refusal?.name === 'InvalidParameterException',
    `Moving a label without naming its version ${refusal === undefined ? 'succeeded' : `got ${refusal.name}`}.`,
  );
}
