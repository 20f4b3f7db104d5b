import fc from 'fast-check';
import { revokeKey } from '../../../lambdas/signing-keys/revoke.ts';
import { rotationSteps } from '../../../lambdas/signing-keys/rotate.ts';
import type { KeySet, SigningKeys } from '../../../storage/signing-keys.ts';
import type { Held, Past } from './key-changes-model.ts';
import { deployed, tokenLifetimeSeconds } from './set-up.ts';

/** What happens after a wait; plain data, so that a history that fails can be read. */
type Event =
  | { readonly rotateWithSecondsBetweenSteps: number; readonly diesAfterWrites?: number }
  | { readonly revokePublishedKey: number; readonly diesAfterWrites: number };

type History = readonly (readonly [seconds: number, Event])[];

type Deployed = Awaited<ReturnType<typeof deployed>>;

/** Does what a history says. */
export async function live(history: History): Promise<Past> {
  const parts = await deployed();
  const { store, clock, dependencies, pass, published } = parts;
  const held = holding(parts);
  const revoked: { kid: string; at: number }[] = [];
  const failures: string[] = [];
  /** Runs an operation until it ends or its function dies. @returns whether it died */
  const dies = async (writes: number | undefined, operation: () => Promise<unknown>) => {
    store.writesLeft = writes ?? Number.POSITIVE_INFINITY;
    const message = await operation().then(
      () => '',
      (error: Error) => error.message,
    );
    store.writesLeft = Number.POSITIVE_INFINITY;
    failures.push(...[message].filter((one) => one !== '' && one !== 'crash'));
    return message !== '';
  };

  let unfinished: string | undefined;
  for (const [index, [seconds, event]] of history.entries()) {
    pass(seconds);
    if ('rotateWithSecondsBetweenSteps' in event) {
      const token = unfinished ?? `rotation-${index}`;
      store.begin(token);
      const died = await dies(event.diesAfterWrites, async () => {
        for (const name of rotationSteps) {
          await parts.step(name, token);
          pass(event.rotateWithSecondsBetweenSteps);
        }
      });
      unfinished = died ? token : undefined;
    } else {
      const kid = published()[event.revokePublishedKey % published().length] ?? '';
      await dies(event.diesAfterWrites, () => revokeKey(kid, dependencies));
      // The step is repeated, unless the function died after its last write.
      if (published().includes(kid)) {
        await revokeKey(kid, dependencies);
      }
      revoked.push({ kid, at: clock.time });
      unfinished = undefined;
    }
  }
  pass(2 * tokenLifetimeSeconds);
  return { ...held, revoked, failures, end: clock.time };
}

/** What the two secrets hold after each write from now on. */
function holding({ store, clock }: Deployed) {
  const [keys, sets]: [Held<SigningKeys>[], Held<KeySet | undefined>[]] = [[], []];
  store.written = () => {
    keys.push({ value: store.keys, from: clock.time });
    sets.push({ value: store.keySet, from: clock.time });
  };
  store.written();
  return { keys, sets };
}

/** Seconds, short and long: rotations in a row, caches that grow old, tokens that expire, nights. */
const wait = fc.oneof(
  { weight: 3, arbitrary: fc.integer({ min: 0, max: 30 }) },
  { weight: 5, arbitrary: fc.integer({ min: 0, max: 700 }) },
  { weight: 1, arbitrary: fc.integer({ min: 0, max: 12_000 }) },
);
const rotation = fc.record(
  { rotateWithSecondsBetweenSteps: fc.nat({ max: 20 }), diesAfterWrites: fc.nat({ max: 5 }) },
  { requiredKeys: ['rotateWithSecondsBetweenSteps'] },
);
const revocation = fc.record({
  revokePublishedKey: fc.nat({ max: 3 }),
  diesAfterWrites: fc.nat({ max: 3 }),
});
const historiesOf = (...events: readonly fc.Arbitrary<Event>[]): fc.Arbitrary<History> =>
  fc.array(fc.tuple(wait, fc.oneof(...events)), { minLength: 10, maxLength: 30 });

/** Rotations, some of which die and are repeated. */
export const rotations = historiesOf(rotation);

export const rotationsAndRevocations = historiesOf(rotation, revocation);
