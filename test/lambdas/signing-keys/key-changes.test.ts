import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { documentMaxAgeSeconds } from '../../../contract/limits.ts';
import { keyCacheSeconds } from '../../../lambdas/shared/keys/cache.ts';
import { revokeKey } from '../../../lambdas/signing-keys/revoke.ts';
import { rotate, rotationSteps } from '../../../lambdas/signing-keys/rotate.ts';
import type { KeySet, SigningKeys } from '../../../storage/signing-keys.ts';
import { deployed, tokenLifetimeSeconds } from './set-up.ts';

/** More for a long run: `HISTORIES=5000 npx vitest run test/lambdas/signing-keys/key-changes --testTimeout 3600000`. */
const numRuns = Number(process.env.HISTORIES ?? 60);

/** Looking for a simpler history that fails ends in time for the test to show it. */
const limits = { numRuns, interruptAfterTimeLimit: 40_000 };

/** What happens after a wait; plain data, so that a history that fails can be read. */
type Event =
  | { readonly rotate: 'all steps'; readonly secondsBetweenSteps: number; readonly diesAfterWrites?: number }
  | { readonly revoke: 'a key'; readonly place: number; readonly diesAfterWrites: number };

/** What a secret held from this time on, in milliseconds since the epoch. */
interface Held<Value> {
  readonly value: Value;
  readonly from: number;
}

/** What the two secrets held, and which keys were revoked when. */
interface Past {
  readonly keys: Held<SigningKeys>[];
  readonly sets: Held<KeySet>[];
  readonly revoked: { readonly kid: string; readonly at: number }[];
  readonly rotations: number;
  readonly end: number;
}

/** Does what a history says. */
async function live(history: readonly (readonly [seconds: number, Event])[]): Promise<Past> {
  const { store, clock, dependencies, pass } = await deployed();
  const [keys, sets, revoked]: [Past['keys'], Past['sets'], Past['revoked']] = [[], [], []];
  const published = () => store.published(clock.time);
  store.written = () => {
    if (store.keys !== keys.at(-1)?.value) {
      keys.push({ value: store.keys, from: clock.time });
    }
    if (store.keySet !== undefined && store.keySet !== sets.at(-1)?.value) {
      sets.push({ value: store.keySet, from: clock.time });
    }
  };
  store.written();
  /** @returns whether it ended before the function died */
  const untilDeath = async (writes: number, action: () => Promise<unknown>) => {
    store.writesLeft = writes;
    const message = await action().then(
      () => undefined,
      (error: Error) => error.message,
    );
    store.writesLeft = Number.POSITIVE_INFINITY;
    // Any other error than the death of the function is a fault of the code.
    expect([undefined, 'crash']).toContain(message);
    return message === undefined;
  };

  let rotations = 0;
  let unfinished: string | undefined;
  for (const [seconds, event] of history) {
    pass(seconds);
    if ('rotate' in event) {
      const token = unfinished ?? `rotation-${rotations}`;
      store.begin(token);
      const isDone = await untilDeath(event.diesAfterWrites ?? Number.POSITIVE_INFINITY, async () => {
        for (const step of rotationSteps) {
          await rotate(step, token, dependencies);
          pass(event.secondsBetweenSteps);
        }
      });
      unfinished = isDone ? undefined : token;
      rotations += Number(isDone);
    } else {
      const kid = published()[event.place % published().length] ?? '';
      await untilDeath(event.diesAfterWrites, () => revokeKey(kid, dependencies));
      // The step is repeated, unless the function died after its last write.
      if (published().includes(kid)) {
        await revokeKey(kid, dependencies);
      }
      revoked.push({ kid, at: clock.time });
      unfinished = undefined;
      rotations += 1;
    }
  }
  pass(2 * tokenLifetimeSeconds);
  return { keys, sets, revoked, rotations, end: clock.time };
}

const cached = keyCacheSeconds * 1000;
const lifetime = tokenLifetimeSeconds * 1000;

/** The times at which some function may sign with a key: it may hold a value for as long as it may cache one. */
function signing({ keys, end }: Past) {
  return keys.map(({ value, from }, index) => {
    return { kid: value.current.kid, from, to: (keys[index + 1]?.from ?? end) + cached };
  });
}

/** Key sets that somebody verifies tokens with, and that lack a key while its tokens are valid. */
function failures(past: Past): readonly object[] {
  const { sets, revoked, end } = past;
  return signing(past).flatMap(({ kid, from, to }) => {
    // A key that replaces a revoked one may sign before everybody knows it: the price of an emergency.
    const revocations = revoked.filter(({ at }) => at <= from).map(({ at }) => at);
    const oldest = Math.max(from - cached - documentMaxAgeSeconds * 1000, ...revocations);
    // What happens to the tokens of a revoked key is another test's matter.
    const newest = Math.min(
      to + lifetime,
      end,
      ...revoked.filter((one) => one.kid === kid).map(({ at }) => at),
    );
    return sets.flatMap(({ value, from: since }, index) => {
      const replaced = sets[index + 1]?.from ?? end;
      if (oldest >= newest || replaced <= oldest || since >= newest) {
        return [];
      }
      const entry = value.keys.find(({ jwk }) => jwk.kid === kid);
      const needed = Math.min(replaced + cached, newest);
      const isEnough = entry !== undefined && !(Date.parse(entry.until ?? '') < needed);
      return isEnough ? [] : [{ kid, from, to, set: since, replaced, until: entry?.until }];
    });
  });
}

/** Seconds, short and long: rotations in a row, caches that grow old, tokens that expire, nights. */
const wait = fc.oneof(
  { weight: 3, arbitrary: fc.integer({ min: 0, max: 30 }) },
  { weight: 5, arbitrary: fc.integer({ min: 0, max: 700 }) },
  { weight: 1, arbitrary: fc.integer({ min: 0, max: 12_000 }) },
);
const rotation = fc.record(
  {
    rotate: fc.constant('all steps' as const),
    secondsBetweenSteps: fc.nat({ max: 20 }),
    diesAfterWrites: fc.nat({ max: 5 }),
  },
  { requiredKeys: ['rotate', 'secondsBetweenSteps'] },
);
const revocation = fc.record({
  revoke: fc.constant('a key' as const),
  place: fc.nat({ max: 3 }),
  diesAfterWrites: fc.nat({ max: 3 }),
});
const historyOf = (...events: readonly fc.Arbitrary<Event>[]) =>
  fc.array(fc.tuple(wait, fc.oneof(...events)), { minLength: 10, maxLength: 30 });

describe('every token verifies until it expires, for functions and clients that hold the oldest key set they may', () => {
  test('however often keys rotate, and rotations die and are repeated', async () => {
    let rotations = 0;
    const property = fc.asyncProperty(historyOf(rotation), async (history) => {
      const past = await live(history);
      expect(failures(past)).toEqual([]);
      rotations += past.rotations;
    });
    await fc.assert(property, limits);
    expect(rotations).toBeGreaterThan(4 * numRuns);
  });

  test('also when keys are revoked: every other token does, and a revoked key never comes back', async () => {
    const property = fc.asyncProperty(historyOf(rotation, revocation), async (history) => {
      const past = await live(history);
      expect(failures(past)).toEqual([]);
      for (const { kid, at } of past.revoked) {
        const later = past.sets.filter(({ from }) => from > at);
        expect(later.filter(({ value }) => value.keys.some(({ jwk }) => jwk.kid === kid))).toEqual([]);
        const signsLater = past.keys.filter(({ from }) => from > at);
        expect(signsLater.filter(({ value }) => [value.current.kid, value.next.kid].includes(kid))).toEqual(
          [],
        );
      }
    });
    await fc.assert(property, limits);
  });
});
