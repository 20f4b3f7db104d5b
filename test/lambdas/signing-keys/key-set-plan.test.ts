import { describe, expect, test } from 'vitest';
import { ensureKeys } from '../../../lambdas/signing-keys/ensure-keys.ts';
import {
  later,
  planKeySet,
  propagationSeconds,
  retentionSeconds,
} from '../../../lambdas/signing-keys/key-set-plan.ts';
import { revokeKey } from '../../../lambdas/signing-keys/revoke.ts';
import { keySigningAt } from '../../../storage/signing-keys.ts';
import { newKey, noon } from '../../support/signing-keys.ts';
import { day, deployed, tokenLifetimeSeconds } from './set-up.ts';

const retention = retentionSeconds(tokenLifetimeSeconds);
const isoAfter = (seconds: number) => later(noon, seconds).toISOString();

describe('a key that was published', () => {
  test('signs as soon as every cached key set contains it, and not before', async () => {
    for (const [seconds, waits] of [
      [propagationSeconds - 1, true],
      [propagationSeconds, false],
    ] as const) {
      const { store, rotate, pass } = await deployed();
      await rotate('1');
      const { current } = store.keys;
      pass(seconds);
      await rotate('2');
      expect(store.keys.previous?.kid).toBe(waits ? current.kid : undefined);
      expect(store.keys.signs_from).toBe(waits ? isoAfter(propagationSeconds) : undefined);
    }
  });

  test('waits like a new one when the key set was lost', async () => {
    const { store, clock, rotate, pass } = await deployed();
    const { current, next } = store.keys;
    pass(day);
    store.keySet = { keys: [] };
    await rotate('1');
    expect(keySigningAt(store.keys, clock.time).kid).toBe(current.kid);
    const signs_from = isoAfter(day + propagationSeconds);
    expect(store.keys).toMatchObject({ current: { kid: next.kid }, signs_from });
  });

  test('says when it entered its state, and when it may sign, and keeps that in a later deployment', async () => {
    const { store, rotate, dependencies, pass } = await deployed();
    const first = store.keys.current.kid;
    pass(day);
    await rotate('1');
    pass(60);
    await ensureKeys(dependencies);
    const { current, next } = store.keys;
    const since = isoAfter(day);
    expect(store.entry(current.kid)).toEqual({
      jwk: expect.anything(),
      state: 'current',
      since,
      token_lifetime_seconds: tokenLifetimeSeconds,
    });
    const usable_from = isoAfter(day + propagationSeconds);
    expect(store.entry(next.kid)).toMatchObject({ state: 'next', since, usable_from });
    expect(store.entry(first)).toMatchObject({ state: 'retired', since, until: isoAfter(day + retention) });
  });
});

describe('a retired key', () => {
  test('has no end while an unfinished rotation still lets it sign', async () => {
    const { store, rotate, pass } = await deployed();
    const { kid } = store.keys.current;
    pass(day);
    await rotate('1', ['createSecret', 'setSecret']);
    expect(store.entry(kid)).toMatchObject({ state: 'retired', since: isoAfter(day) });
    expect(store.entry(kid)).not.toHaveProperty('until');
  });

  test('stays published for the longest lifetime that its tokens had, also when that was changed', async () => {
    for (const [before, now] of [
      [tokenLifetimeSeconds, day],
      [day, tokenLifetimeSeconds],
    ] as const) {
      const { store, rotate, dependencies } = await deployed();
      const { kid } = store.keys.current;
      for (const lifetime of [before, now]) {
        dependencies.tokenLifetimeSeconds = lifetime;
        await ensureKeys(dependencies);
      }
      await rotate('1');
      const until = isoAfter(retentionSeconds(day));
      expect(store.entry(kid)).toMatchObject({ until, token_lifetime_seconds: day });
    }
  });

  test('leaves the set when its last token has expired, plus caching time, to the second', async () => {
    expect(retention).toBe(tokenLifetimeSeconds + 300 + 300);
    for (const [seconds, isThere] of [
      [retention - 1, true],
      [retention, false],
    ] as const) {
      const { store, rotate, dependencies, pass } = await deployed();
      const { kid } = store.keys.current;
      await rotate('1');
      pass(seconds);
      await ensureKeys(dependencies);
      expect(store.entry(kid) !== undefined).toBe(isThere);
    }
  });

  test('is not kept for the longer lifetime of tokens that it does not sign', async () => {
    const { store, rotate, dependencies, pass } = await deployed();
    const { kid } = store.keys.current;
    pass(day);
    await rotate('1');
    dependencies.tokenLifetimeSeconds = day;
    await ensureKeys(dependencies);
    const [until, token_lifetime_seconds] = [isoAfter(day + retention), tokenLifetimeSeconds];
    expect(store.entry(kid)).toMatchObject({ until, token_lifetime_seconds });
    expect(store.entry(store.keys.current.kid)?.token_lifetime_seconds).toBe(day);
  });
});

describe('a key that signs until another one is known', () => {
  /** Two rotations in a row: the key of the first one waits, and `previous` goes on signing. */
  async function rotatedTwice() {
    const parts = await deployed();
    await parts.rotate('1');
    await parts.rotate('2');
    const { store, dependencies } = parts;
    const { previous, signs_from: signsFrom = '' } = store.keys;
    const kid = previous?.kid ?? '';
    return { ...parts, signsFrom, entry: () => store.entry(kid), deploy: () => ensureKeys(dependencies) };
  }

  test('stays published for its last token, and a later deployment does not prolong that', async () => {
    const { deploy, pass, entry, signsFrom } = await rotatedTwice();
    const until = later(new Date(signsFrom), retention).toISOString();
    expect(entry()).toMatchObject({ state: 'retired', since: signsFrom, until });
    pass(propagationSeconds + 100);
    await deploy();
    expect(entry()?.until).toBe(until);
  });

  test('stays published for its last token when that is signed later than was planned', async () => {
    const { store, dependencies, rotate, pass, entry } = await rotatedTwice();
    pass(60);
    // The key that replaces the next one may sign a minute later, and the rotation begins to wait for that.
    await revokeKey(store.keys.next.kid, dependencies);
    await rotate('3', ['createSecret', 'setSecret']);
    expect(entry()?.until).toBe(isoAfter(60 + propagationSeconds + retention));
  });

  test('stays published longer when a deployment gives its tokens a longer lifetime', async () => {
    const { dependencies, deploy, entry, signsFrom } = await rotatedTwice();
    dependencies.tokenLifetimeSeconds = day;
    await deploy();
    const until = later(new Date(signsFrom), retentionSeconds(day)).toISOString();
    expect(entry()).toMatchObject({ until, token_lifetime_seconds: day });
  });

  test('leaves the set when its time is over, to the second', async () => {
    const { deploy, pass, entry } = await rotatedTwice();
    pass(propagationSeconds + retention - 1);
    await deploy();
    expect(entry()).toBeDefined();
    pass(1);
    await deploy();
    expect(entry()).toBeUndefined();
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
