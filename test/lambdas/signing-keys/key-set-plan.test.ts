import { describe, expect, test } from 'vitest';
import {
  later,
  planKeySet,
  propagationSeconds,
  retentionSeconds,
} from '../../../lambdas/signing-keys/key-set-plan.ts';
import { revokeKey } from '../../../lambdas/signing-keys/revoke.ts';
import { newKey, noon } from '../../support/signing-keys.ts';
import { setUp, tokenLifetimeSeconds } from './set-up.ts';

const day = 24 * 60 * 60;
const retention = retentionSeconds(tokenLifetimeSeconds);
const isoAfter = (seconds: number) => later(noon, seconds).toISOString();

async function deployed() {
  const setup = setUp();
  await setup.ensure();
  return setup;
}

/** Two rotations in a row: the key of the first one waits, and `previous` goes on signing. */
async function rotatedTwice() {
  const setup = await deployed();
  await setup.rotateAll('1');
  await setup.rotateAll('2');
  const { current, previous, signs_from = '' } = await setup.keys();
  return { ...setup, current: current.kid, previous: previous?.kid ?? '', signsFrom: signs_from };
}

describe('a key that was published', () => {
  test('signs as soon as every cached key set contains it, and not before', async () => {
    for (const [seconds, waits] of [
      [propagationSeconds - 1, true],
      [propagationSeconds, false],
    ] as const) {
      const { rotateAll, keys, pass } = await deployed();
      await rotateAll('1');
      const { current } = await keys();
      pass(seconds);
      await rotateAll('2');
      const after = await keys();
      expect(after.previous?.kid).toBe(waits ? current.kid : undefined);
      expect(after.signs_from).toBe(waits ? isoAfter(propagationSeconds) : undefined);
    }
  });

  test('waits like a new one when the key set was lost', async () => {
    const { store, rotateAll, keys, signer, pass } = await deployed();
    const before = await keys();
    pass(day);
    store.keySet = { keys: [] };
    await rotateAll('1');
    expect(await signer()).toBe(before.current.kid);
    expect(await keys()).toMatchObject({
      current: { kid: before.next.kid },
      signs_from: isoAfter(day + propagationSeconds),
    });
  });

  test('says when it entered its state, and when it may sign', async () => {
    const { rotateAll, keys, entry, pass } = await deployed();
    const first = (await keys()).current.kid;
    pass(day);
    await rotateAll('1');
    const { current, next } = await keys();
    expect(entry(current.kid)).toEqual({
      jwk: expect.anything(),
      state: 'current',
      since: isoAfter(day),
      usable_from: undefined,
      token_lifetime_seconds: tokenLifetimeSeconds,
    });
    expect(entry(next.kid)).toMatchObject({
      state: 'next',
      since: isoAfter(day),
      usable_from: isoAfter(day + propagationSeconds),
    });
    expect(entry(first)).toMatchObject({
      state: 'retired',
      since: isoAfter(day),
      until: isoAfter(day + retention),
    });
  });

  test('keeps its times in a later deployment', async () => {
    const { store, ensure, rotateAll, pass } = await deployed();
    pass(day);
    await rotateAll('1');
    const before = structuredClone(store.keySet);
    pass(60);
    await ensure();
    expect(store.keySet).toEqual(before);
  });
});

describe('a retired key', () => {
  test('has no end while an unfinished rotation still lets it sign', async () => {
    const { step, keys, entry, pass } = await deployed();
    const { kid } = (await keys()).current;
    pass(day);
    await step('createSecret', '1');
    await step('setSecret', '1');
    expect(entry(kid)).toMatchObject({ state: 'retired', since: isoAfter(day) });
    expect(entry(kid)).not.toHaveProperty('until');
  });

  test('stays published for the lifetime that its last tokens have, when that was just made longer', async () => {
    const { rotateAll, setTokenLifetime, keys, entry } = await deployed();
    const { kid } = (await keys()).current;
    setTokenLifetime(day);
    await rotateAll('1');
    expect(entry(kid)).toMatchObject({ until: isoAfter(retentionSeconds(day)), token_lifetime_seconds: day });
  });

  test('leaves the set when its last token has expired, plus caching time, to the second', async () => {
    expect(retention).toBe(tokenLifetimeSeconds + 300 + 300);
    for (const [seconds, isThere] of [
      [retention - 1, true],
      [retention, false],
    ] as const) {
      const { ensure, rotateAll, keys, entry, pass } = await deployed();
      const { kid } = (await keys()).current;
      pass(day);
      await rotateAll('1');
      pass(seconds);
      await ensure();
      expect(entry(kid) !== undefined).toBe(isThere);
    }
  });

  test('is not kept for the longer lifetime of tokens that it does not sign', async () => {
    const { ensure, rotateAll, setTokenLifetime, keys, entry, pass } = await deployed();
    const { kid } = (await keys()).current;
    pass(day);
    await rotateAll('1');
    setTokenLifetime(day);
    await ensure();
    expect(entry(kid)).toMatchObject({
      until: isoAfter(day + retention),
      token_lifetime_seconds: tokenLifetimeSeconds,
    });
    expect(entry((await keys()).current.kid)?.token_lifetime_seconds).toBe(day);
  });
});

describe('a key that signs until another one is known', () => {
  test('stays published for its last token, and a later deployment does not prolong that', async () => {
    const { ensure, pass, entry, previous, signsFrom } = await rotatedTwice();
    const until = later(new Date(signsFrom), retention).toISOString();
    expect(entry(previous)).toMatchObject({ state: 'retired', since: signsFrom, until });
    pass(propagationSeconds + 100);
    await ensure();
    expect(entry(previous)?.until).toBe(until);
  });

  test('stays published for its last token when that is signed later than was planned', async () => {
    const { dependencies, keys, step, pass, entry, previous } = await rotatedTwice();
    pass(60);
    // The key that replaces the next one may sign a minute later, and the rotation begins to wait for that.
    await revokeKey((await keys()).next.kid, dependencies);
    await step('createSecret', '3');
    await step('setSecret', '3');
    expect(entry(previous)?.until).toBe(isoAfter(60 + propagationSeconds + retention));
  });

  test('stays published longer when a deployment gives its tokens a longer lifetime', async () => {
    const { ensure, setTokenLifetime, entry, previous, signsFrom } = await rotatedTwice();
    setTokenLifetime(day);
    await ensure();
    expect(entry(previous)).toMatchObject({
      until: later(new Date(signsFrom), retentionSeconds(day)).toISOString(),
      token_lifetime_seconds: day,
    });
  });

  test('leaves the set when its time is over, to the second', async () => {
    for (const [seconds, isThere] of [
      [-1, true],
      [0, false],
    ] as const) {
      const { ensure, pass, entry, previous } = await rotatedTwice();
      pass(propagationSeconds + retention + seconds);
      await ensure();
      expect(entry(previous) !== undefined).toBe(isThere);
    }
  });

  test('is one only with the time at which it stops', async () => {
    const [current, next, previous] = await Promise.all([newKey(), newKey(), newKey()]);
    const plan = { published: { keys: [] }, now: noon, tokenLifetimeSeconds };
    const kidsOf = (keys: Parameters<typeof planKeySet>[0]['keys']) =>
      planKeySet({ ...plan, keys }).keys.map(({ jwk }) => jwk.kid);
    const signs_from = isoAfter(60);
    expect(kidsOf({ current, next, previous, signs_from })).toEqual([next.kid, current.kid, previous.kid]);
    expect(kidsOf({ current, next, previous })).toEqual([next.kid, current.kid]);
    expect(kidsOf({ current, next, signs_from })).toEqual([next.kid, current.kid]);
  });
});
