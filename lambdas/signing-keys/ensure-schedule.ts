import { isDeepStrictEqual } from 'node:util';
import { InternalError } from '../shared/log/log.ts';
import type { KeyDependencies } from './key-store.ts';
import { isDenied } from './retry.ts';
import { abandonRotation } from './revoke.ts';
import { holdsCurrentKeys } from './rotation-keys.ts';
import type { RotationSchedule, ScheduleStore } from './rotation-schedule.ts';

export interface ScheduleDependencies extends Pick<KeyDependencies, 'store' | 'log'> {
  readonly schedule: ScheduleStore;
  readonly sleep: (milliseconds: number) => Promise<unknown>;
}

/** Waits for the end of a running test of Secrets Manager. A test takes a second or two. */
const testWaitsMilliseconds = [250, 500, 1_000, 2_000];

/** The schedule differs from the requested one, although Secrets Manager accepted the request. */
class NotScheduledError extends InternalError {
  override readonly name = 'NotScheduledError';
  constructor() {
    super('Secrets Manager accepted the rotation schedule, but does not show it');
  }
}

/**
 * Sets the rotation schedule if it differs. This function sets it, not the template: Secrets Manager encrypts
 * and decrypts for its test with the permissions of the caller, and only this function has them
 * (docs/decisions/0013-keys-change-by-compare-and-swap.md).
 *
 * @throws {NotScheduledError} if Secrets Manager does not show the schedule afterwards
 */
export async function ensureSchedule(
  wanted: RotationSchedule,
  dependencies: ScheduleDependencies,
): Promise<void> {
  const { store, schedule, log } = dependencies;
  const changed = !isDeepStrictEqual(await schedule.read(), wanted);
  if (changed) {
    // AWS does not document whether the version of the test contains a copy of the current one.
    await store.requireKmsKey();
    // Secrets Manager rejects the request while any version carries AWSPENDING: the version of a failed test,
    // of a stuck rotation, or of attempts to call the function of a deleted stack.
    await abandonRotation(store);
    await schedule.write(wanted);
    if (!isDeepStrictEqual(await schedule.read(), wanted)) {
      throw new NotScheduledError();
    }
  }
  await removeTestVersion(dependencies);
  log('INFO', 'scheduleEnsured', { days: wanted.days, changed });
}

/**
 * True if setting the schedule may succeed later. A rotation in progress, and a test that failed or takes
 * long, come to an end. The error names of Secrets Manager and of the SDK distinguish these cases from other
 * failures.
 */
export function mayBeScheduledLater(error: unknown): boolean {
  // InvalidParameterException: a label moved, but Secrets Manager still shows it at its old place.
  const passing = [
    'InvalidRequestException',
    'InvalidParameterException',
    'TimeoutError',
    'NotScheduledError',
  ];
  return isDenied(error) || (error instanceof Error && passing.includes(error.name));
}

/**
 * Removes AWSPENDING from the version of the test. Secrets Manager does that itself when the test ends (API
 * reference, RotateSecret). If it did not, the next rotation could not start. A version in which a rotation
 * prepared keys keeps AWSPENDING.
 */
async function removeTestVersion({ store, sleep }: ScheduleDependencies): Promise<void> {
  for (const wait of testWaitsMilliseconds) {
    if ((await unfinishedVersion(store)) === undefined) {
      return;
    }
    await sleep(wait);
  }
  const version = await unfinishedVersion(store);
  if (version === undefined) {
    return;
  }
  const [current, pending] = await Promise.all([store.readCurrent(), store.readVersion(version)]);
  if (pending === undefined || (current !== undefined && holdsCurrentKeys(pending, current))) {
    await store.dropPending(version);
  }
}

async function unfinishedVersion(store: ScheduleDependencies['store']): Promise<string | undefined> {
  const { current, pending } = await store.versions();
  return pending === current ? undefined : pending;
}
