import type { Deployment } from '../deployment/deployment.ts';
import { type KeyRotation, readKeyRotation } from '../key-rotation.ts';
import type { SigningKey } from '../signing-keys.ts';
import { counted } from '../text.ts';
import { failed, type Outcome, ok } from './finding.ts';

const dayMilliseconds = 86_400_000;

/** A rotation takes seconds. */
const stuckMilliseconds = 15 * 60_000;

/** Secrets Manager rotates within the day on which a rotation is due, and tries a failed one again. */
const lateDays = 2;

const advice = 'Rotate the key, and read the log of the signing-keys function if that fails.';

const rotate = { do: 'rotate signing key' } as const;

/** Whether a key signs, and another one can take over. */
export function checkSigningKeys(keys: readonly SigningKey[], now: number): Outcome {
  const signing = keys.find(({ signs }) => signs);
  if (signing === undefined) {
    return failed('No published key signs: the key set has no current key.', advice, rotate);
  }
  const next = keys.find(({ state }) => state === 'next');
  if (next === undefined) {
    return failed(`${signing.kid} signs, but no next key is published to take over.`, advice, rotate);
  }
  return ok(`${signing.kid} signs ${span(signing, now)}, and ${next.kid} is next`);
}

/** A retired key may sign a little longer: until its state begins, which is in the future then. */
function span({ since }: SigningKey, now: number): string {
  return now < Date.parse(since) ? `until ${since}` : `since ${dateOf(new Date(since))}`;
}

function daysSince(time: string, now: number): number {
  return Math.floor((now - Date.parse(time)) / dayMilliseconds);
}

/**
 * Whether the keys rotate by themselves, in time, and no rotation is stuck.
 *
 * @param keys the published keys; undefined when they cannot be read, which is the finding of another check
 */
export async function checkKeyRotation(
  deployment: Deployment,
  keys: readonly SigningKey[] | undefined,
  now: number,
): Promise<Outcome> {
  const rotation = await readKeyRotation(deployment);
  return inProgress(rotation, now) ?? schedule(rotation, deployment.outputs, keys, now);
}

function inProgress({ underWay }: KeyRotation, now: number): Outcome | undefined {
  if (underWay === undefined) {
    return undefined;
  }
  const since = underWay.since?.toISOString() ?? 'an unknown time';
  if (underWay.since !== undefined && now - underWay.since.getTime() <= stuckMilliseconds) {
    return ok(`A rotation is under way since ${since}`);
  }
  return failed(
    `A rotation is stuck since ${since}. Tokens are still issued and accepted.`,
    'Read the log of the signing-keys function and fix the cause. Then rotate the key, which tries this rotation again.',
    rotate,
  );
}

function schedule(
  { everyDays: days, functionArn, next: nextDate }: KeyRotation,
  outputs: Deployment['outputs'],
  keys: readonly SigningKey[] | undefined,
  now: number,
): Outcome {
  if (days === undefined) {
    return failed(
      'The keys do not rotate by themselves: the secret has no rotation schedule.',
      'Rotate the key, which sets the schedule again. A deployment sets it only when signingKeyRotationDays or tokenLifetimeSeconds changes.',
      rotate,
    );
  }
  if (
    functionArn !== undefined &&
    !functionArn.endsWith(`:function:${outputs.RotateSigningKeyFunctionName}`)
  ) {
    return failed(
      `The schedule calls another function than that of this stack: ${functionArn}.`,
      `Turn the rotation of the secret ${outputs.SigningKeySecretArn} off in Secrets Manager. Then rotate the key, which sets it again.`,
      rotate,
    );
  }
  const current = keys?.find(({ state }) => state === 'current');
  const currentDays = current === undefined ? 0 : daysSince(current.since, now);
  if (currentDays > days + lateDays) {
    return failed(
      `The current key is ${counted(currentDays, 'day')} old, but should rotate every ${counted(days, 'day')}.`,
      advice,
      rotate,
    );
  }
  const next = nextDate === undefined ? '' : `, the next time on ${dateOf(nextDate)}`;
  return ok(`every ${counted(days, 'day')}${next}`);
}

function dateOf(date: Date): string {
  return date.toISOString().slice(0, 10);
}
