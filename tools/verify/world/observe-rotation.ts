import { ask, type PublishedKeys, type Reach, type Refusal, type SecretSeen } from './reach.ts';

/** A rotation as an operator sees it. */
export interface RotationSeen {
  readonly before: SecretSeen;
  /** Having the function ensure the schedule: what that was refused with, and the secret when nothing was pending. */
  readonly scheduling: { readonly refused?: Refusal; readonly after: SecretSeen };
  /** What RotateSecret was refused with. */
  readonly refused?: Refusal;
  /** Id of the version that RotateSecret answered with. */
  readonly version: string;
  readonly after: SecretSeen;
  readonly milliseconds: number;
  readonly keysBefore: PublishedKeys;
  readonly keysAfter: PublishedKeys;
  /** Status that a token of before gets after the rotation. */
  readonly oldToken: number;
  /** Status that a new token gets after the rotation. */
  readonly newToken: number;
}

const patienceMilliseconds = 120_000;
const pollMilliseconds = 250;

/** Has the schedule ensured, rotates the signing key, and waits until the rotation has ended. */
export async function observeRotation(world: Reach): Promise<RotationSeen> {
  const { operator, now } = world;
  const [before, keysBefore, token] = await Promise.all([
    operator.signingSecret(),
    operator.publishedKeys(),
    world.token(),
  ]);
  const schedulingRefused = await operator.ensureSchedule();
  const afterScheduling = await waitUntilQuiet(world, before);
  const startedAt = now();
  const started = await start(operator);
  const after =
    'refused' in started ? await operator.signingSecret() : await waitForEnd(world, started.version);
  const milliseconds = now() - startedAt;
  const volumes = (bearer: string) =>
    ask(world, { method: 'GET', path: '/v0/volumes', headers: { authorization: `Bearer ${bearer}` } });
  const [keysAfter, oldAnswer, newAnswer] = await Promise.all([
    operator.publishedKeys(),
    volumes(token),
    world.token().then(volumes),
  ]);
  return {
    before,
    scheduling: { ...(schedulingRefused && { refused: schedulingRefused }), after: afterScheduling },
    version: '',
    ...started,
    after,
    milliseconds,
    keysBefore,
    keysAfter,
    oldToken: oldAnswer.status,
    newToken: newAnswer.status,
  };
}

async function start({ startRotation }: Reach['operator']) {
  try {
    return { version: await startRotation() };
  } catch (error) {
    if (!(error instanceof Error)) {
      throw error;
    }
    return { refused: { name: error.name, message: error.message } };
  }
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

async function waitUntilQuiet({ operator, now, sleep }: Reach, before: SecretSeen): Promise<SecretSeen> {
  const deadline = now() + (isQuiet(before) ? 60_000 : 0);
  for (;;) {
    const seen = await operator.signingSecret();
    if (isQuiet(seen) || now() >= deadline) {
      return seen;
    }
    await sleep(pollMilliseconds);
  }
}

async function waitForEnd({ operator, now, sleep }: Reach, version: string): Promise<SecretSeen> {
  const deadline = now() + patienceMilliseconds;
  for (;;) {
    const seen = await operator.signingSecret();
    const stages = seen.labels[version] ?? [];
    if ((stages.includes('AWSCURRENT') && !stages.includes('AWSPENDING')) || now() >= deadline) {
      return seen;
    }
    await sleep(pollMilliseconds);
  }
}
