import { describe, expect, test } from 'vitest';
import { ensureKeys } from '../../../lambdas/signing-keys/ensure-keys.ts';
import { later, propagationSeconds, retentionSeconds } from '../../../lambdas/signing-keys/key-set-plan.ts';
import { noon } from '../../support/signing-keys.ts';
import { day, deployed, tokenLifetimeSeconds } from './set-up.ts';

const retention = retentionSeconds(tokenLifetimeSeconds);
const isoAfter = (seconds: number) => later(noon, seconds).toISOString();

describe('a key that was published', () => {
  test('signs after the rotation at which every cached key set contains it', async () => {
    const { store, rotate, pass } = await deployed();
    await rotate('1');
    const { next } = store.keys;
    pass(propagationSeconds);
    await rotate('2');
    expect(store.keys.current).toEqual(next);
  });

  test('waits, and every key stays in its state, when a rotation comes a second too early', async () => {
    const { store, rotate, pass } = await deployed();
    await rotate('1');
    const { keys, keySet } = structuredClone({ keys: store.keys, keySet: store.keySet });
    pass(propagationSeconds - 1);
    await rotate('2');
    expect({ keys: store.keys, keySet: store.keySet }).toMatchObject({
      keys: { current: keys.current, next: keys.next },
      keySet,
    });
    expect(store.pending).toBeUndefined();
  });

  test('signs within half an hour, however often keys rotate meanwhile', async () => {
    const { store, rotate, pass } = await deployed();
    await rotate('first');
    const { next } = store.keys;
    for (const token of ['second', 'third', 'fourth']) {
      pass(600);
      await rotate(token);
    }
    expect(store.entry(next.kid)).toMatchObject({ state: 'current' });
    expect(store.keySet?.keys).toHaveLength(4);
  });

  test('waits like a new one when the key set was lost', async () => {
    const { store, rotate, pass } = await deployed();
    const { current, next } = store.keys;
    pass(day);
    store.keySet = { keys: [] };
    await rotate('1');
    expect(store.keys.current).toEqual(current);
    expect(store.entry(next.kid)).toMatchObject({ usable_from: isoAfter(day + propagationSeconds) });
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
