import { namesKey } from '../../../storage/signing-keys.ts';
import type { Deployment } from '../deployment/deployment.ts';
import {
  type KeySecret,
  listSigningKeys,
  readKeySecret,
  type SigningKey,
} from '../signing-keys/signing-key.ts';
import { counted } from '../text.ts';
import { type CheckResult, failed, ok } from './finding.ts';

const dayMilliseconds = 86_400_000;

/** Limit for a rotation, which takes seconds. */
const stuckMilliseconds = 15 * 60_000;

/**
 * Tolerance in days. Secrets Manager rotates within the day on which a rotation is due, and retries a failed
 * rotation.
 */
const lateDays = 2;

const advice = 'Rotate the key. If the rotation fails, read the log of the signing-keys function.';

const rotate = { noun: 'signing-key', verb: 'rotate' } as const;

/** Next step if another person may have read or chosen a private key. */
const replaceAll = { noun: 'signing-key', verb: 'revoke-all' } as const;

/**
 * Checks that a published key signs, that another key can replace it, and that only the stack's functions can
 * read the private keys. The key set names the secret version of each private key. So the check knows the
 * signing key without reading it.
 */
export function checkSigningKeys(
  keys: readonly SigningKey[],
  { versions, kmsKeyId, underWay }: Pick<KeySecret, 'versions' | 'kmsKeyId' | 'underWay'>,
  kmsKeyArn: string,
  now: number,
): CheckResult {
  if (!namesKey(kmsKeyId, kmsKeyArn)) {
    return failed(
      `The secret of the private keys is encrypted with ${kmsKeyId ?? 'the default key of Secrets Manager'}, not with the key of the stack, ${kmsKeyArn}. Keys cannot be rotated or revoked.`,
      'Set the key of the stack with aws secretsmanager update-secret. Then replace all keys.',
      replaceAll,
    );
  }
  const signing = keys.find(({ signs }) => signs);
  if (signing === undefined) {
    return failed('No published key signs: the key set has no current key.', advice, rotate);
  }
  const next = keys.find(({ state }) => state === 'next');
  if (next === undefined) {
    return failed(`${signing.kid} signs, but no next key is published to take over.`, advice, rotate);
  }
  if (
    !keys.some(
      ({ state, version }) => state !== 'next' && version !== undefined && version === versions.current,
    )
  ) {
    return failed(
      `An unknown key signs: the key set does not name the current version of the secret, ${versions.current ?? 'none'}.`,
      'If nobody deployed, rotated or revoked a key just now, somebody else changed the secret. Then replace all keys.',
      replaceAll,
    );
  }
  // A rotation moves the label last.
  if (underWay === undefined && (next.version === undefined || next.version !== versions.next)) {
    return failed(
      `The label NEXT is on version ${versions.next ?? 'none'} of the secret, but ${next.kid} is in version ${next.version ?? 'none'}.`,
      advice,
      rotate,
    );
  }
  return ok(`${signing.kid} signs ${span(signing, now)}, and ${next.kid} is next`);
}

/**
 * Formats the time for which a key signs. A retired key may sign for some more minutes, until `since`, which
 * is then in the future.
 */
function span({ since }: SigningKey, now: number): string {
  return now < Date.parse(since) ? `until ${since}` : `since ${dateOf(new Date(since))}`;
}

/** Checks that the keys rotate on schedule, and that no rotation is stuck. */
export async function checkKeyRotation(deployment: Deployment): Promise<CheckResult> {
  const now = deployment.now();
  const { everyDays: days, next, underWay } = await readKeySecret(deployment);
  if (underWay !== undefined) {
    const { since } = underWay;
    return now - since.getTime() <= stuckMilliseconds
      ? ok(`a rotation is in progress, since ${since.toISOString()}`)
      : failed(
          `A rotation began at ${since.toISOString()} and is stuck. Tokens are still issued and accepted.`,
          'Read the log of the signing-keys function and fix the cause. Then rotate the key: that continues this rotation.',
          rotate,
        );
  }
  if (days === undefined) {
    return failed(
      'The keys do not rotate by themselves: the secret of the keys has no rotation schedule.',
      'Rotate the key: that sets the schedule again. A deployment sets it only when signingKeyRotationDays or tokenLifetimeSeconds changes.',
      rotate,
    );
  }
  // The check of the signing keys reports an error of this call.
  const keys = await listSigningKeys(deployment).catch((): readonly SigningKey[] => []);
  const current = keys.find(({ state }) => state === 'current');
  const since = current === undefined ? now : Date.parse(current.since);
  const ageDays = Math.floor((now - since) / dayMilliseconds);
  if (ageDays > days + lateDays) {
    return failed(
      `The current key is ${counted(ageDays, 'day')} old, but should rotate every ${counted(days, 'day')}.`,
      advice,
      rotate,
    );
  }
  return ok(`every ${counted(days, 'day')}${next === undefined ? '' : `, the next time on ${dateOf(next)}`}`);
}

function dateOf(date: Date): string {
  return date.toISOString().slice(0, 10);
}
