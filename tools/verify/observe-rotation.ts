import { askVolumes } from './http.ts';
import type { SecretSeen } from './operator.ts';
import type { Reach } from './world.ts';

/** Rotates the signing key, and waits until the rotation has ended. */
export async function observeRotation(world: Reach) {
  const { operator, now } = world;
  const [before, keysBefore, token] = await Promise.all([
    operator.signingSecret(),
    operator.publishedKeys(),
    world.token(),
  ]);
  const startedAt = now();
  const started = await operator.startRotation();
  const ended = ({ labels }: SecretSeen) => {
    const stages = labels[started.version] ?? [];
    return stages.includes('AWSCURRENT') && !stages.includes('AWSPENDING');
  };
  const after = await waitForSecret(world, (seen) => started.refused !== undefined || ended(seen));
  const milliseconds = now() - startedAt;
  const [keysAfter, old, fresh] = await Promise.all([
    operator.publishedKeys(),
    askVolumes(world, token),
    world.token().then((other) => askVolumes(world, other)),
  ]);
  return {
    before,
    ...started,
    after,
    milliseconds,
    freshKeys: keysAfter.kids.filter((kid) => !keysBefore.kids.includes(kid)).length,
    /** Status that a token of before gets after the rotation. */
    oldToken: old.status,
    newToken: fresh.status,
  };
}

/** The version that has a label. */
export function holderOf(label: string, { labels }: SecretSeen): string | undefined {
  return Object.keys(labels).find((version) => labels[version]?.includes(label));
}

/** Whether no version waits for the end of a rotation, or of a test of the schedule. */
export function isQuiet({ labels }: SecretSeen): boolean {
  return Object.values(labels).every(
    (stages) => !stages.includes('AWSPENDING') || stages.includes('AWSCURRENT'),
  );
}

const patienceMilliseconds = 120_000;
const pollMilliseconds = 250;

/** The secret with the private keys as soon as it is as wanted, or when patience has ended. */
export async function waitForSecret(
  { operator, now, sleep }: Reach,
  isWanted: (secret: SecretSeen) => boolean,
): Promise<SecretSeen> {
  const deadline = now() + patienceMilliseconds;
  for (;;) {
    const secret = await operator.signingSecret();
    if (isWanted(secret) || now() >= deadline) {
      return secret;
    }
    await sleep(pollMilliseconds);
  }
}
