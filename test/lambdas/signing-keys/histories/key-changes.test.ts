import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { World } from './world.ts';

/** More for a long run: `SIMULATIONS=500 npx vitest run test/lambdas/signing-keys/histories --testTimeout 3600000`. */
const numRuns = Number(process.env.SIMULATIONS ?? 6);

/** What happens; plain data, so that a history that fails can be read. */
type Event =
  | { readonly issueIn: number }
  | { readonly rotateDyingAfterWrites: number }
  | { readonly revokePlace: number; readonly dyingAfterWrites: number }
  | { readonly rotateAgainAfter: number }
  | 'rotate';

async function happen(event: Event, world: World): Promise<void> {
  if (event === 'rotate') {
    return world.rotate();
  }
  if ('issueIn' in event) {
    return world.issue(event.issueIn);
  }
  if ('rotateDyingAfterWrites' in event) {
    return world.rotate(event.rotateDyingAfterWrites);
  }
  if ('revokePlace' in event) {
    return world.revoke(event.revokePlace, event.dyingAfterWrites);
  }
  return rotateTwice(event.rotateAgainAfter, world);
}

/** Then tokens all along until the newest key has signed for a while. */
async function rotateTwice(secondsApart: number, world: World): Promise<void> {
  await world.rotate();
  await world.pass(secondsApart);
  await world.rotate();
  for (let round = 0; round < 20; round += 1) {
    await world.pass(37 + (round % 7));
    await world.issue(round);
  }
}

/** Seconds, short and long: rotations in a row, caches that grow old, tokens that expire, nights. */
function wait(longest: number): fc.Arbitrary<number> {
  return fc.oneof(
    { weight: 3, arbitrary: fc.integer({ min: 0, max: 30 }) },
    { weight: 5, arbitrary: fc.integer({ min: 0, max: 400 }) },
    { weight: 1, arbitrary: fc.integer({ min: 0, max: longest }) },
  );
}

const issue = fc.record({ issueIn: fc.nat({ max: 5 }) });
const rotate = fc.constant<Event>('rotate');
const rotationInARow = fc.record({ rotateAgainAfter: fc.nat({ max: 240 }) });
const dyingRotation = fc.record({ rotateDyingAfterWrites: fc.nat({ max: 4 }) });
const revoke = fc.record({ revokePlace: fc.nat({ max: 3 }), dyingAfterWrites: fc.nat({ max: 4 }) });

/** Runs a history: after every wait one event, and a token, which must be good everywhere until it expires. */
async function live(history: readonly (readonly [number, Event])[]): Promise<World> {
  const world = new World();
  await world.deploy();
  for (const [seconds, event] of history) {
    await world.pass(seconds);
    await happen(event, world);
    await world.issue(seconds);
  }
  for (let minutes = 0; minutes < 65; minutes += 5) {
    await world.pass(300);
  }
  return world;
}

function histories(longestWait: number, ...events: readonly fc.Arbitrary<Event>[]) {
  return fc.array(fc.tuple(wait(longestWait), fc.oneof(...events)), { minLength: 10, maxLength: 30 });
}

/** Also that keys did change and tokens were looked at: a property that nothing tests proves nothing. */
async function check(history: fc.Arbitrary<[number, Event][]>) {
  const totals = { tokens: 0, rotations: 0, checks: 0, revocations: 0 };
  const property = fc.asyncProperty(history, async (events) => {
    const { counts } = await live(events);
    totals.tokens += counts.tokens;
    totals.rotations += counts.rotations;
    totals.checks += counts.checks;
    totals.revocations += counts.revocations;
  });
  await fc.assert(property, { numRuns });
  expect(totals.rotations).toBeGreaterThan(numRuns);
  expect(totals.checks).toBeGreaterThan(totals.tokens);
  return totals;
}

describe('every token verifies everywhere until it expires, for environments and clients that cache', () => {
  test('however often keys rotate, rotations die and are repeated, and environments sleep', async () => {
    await check(histories(12_000, issue, rotate, rotationInARow, dyingRotation));
  });

  test('and when keys are revoked as well: every other token, and nothing of a revoked key', async () => {
    const totals = await check(histories(3_000, issue, rotate, rotationInARow, dyingRotation, revoke));
    expect(totals.revocations).toBeGreaterThan(numRuns);
  });
});
