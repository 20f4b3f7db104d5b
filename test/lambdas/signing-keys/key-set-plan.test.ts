import { later, propagationSeconds, retentionSeconds } from '../../../lambdas/signing-keys/key-set-plan.ts';
import { noon } from '../../support/signing-keys.ts';
import { day, deployed, tokenLifetimeSeconds } from './set-up.ts';

const retention = retentionSeconds(tokenLifetimeSeconds);
const isoAfter = (seconds: number) => later(noon, seconds).toISOString();

describe('a key that was published', () => {
  test('signs after a rotation when every cached key set contains it', async () => {
    const { store, rotate, pass } = await deployed();
    await rotate('1');
    const { next } = store.keys;
    const timesOf = () => store.keySet.keys.map(({ version: _, ...entry }) => entry);
    const times = timesOf();

    pass(propagationSeconds - 1);
    await rotate('2');
    expect(store.keys.next).toEqual(next);
    expect(timesOf()).toEqual(times);
    pass(1);
    await rotate('3');
    expect(store.keys.current).toEqual(next);
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

  test('contains the start of its state, also after a later deployment', async () => {
    const { store, rotate, ensure, pass } = await deployed();
    const first = store.keys.current.kid;
    pass(day);
    await rotate('1');
    pass(60);
    await ensure();
    const { current, next } = store.keys;
    const since = isoAfter(day);
    expect(store.entry(current.kid)).toEqual({
      jwk: expect.anything(),
      state: 'current',
      version: store.current,
      since,
      token_lifetime_seconds: tokenLifetimeSeconds,
    });
    const usable_from = isoAfter(day + propagationSeconds);
    expect(store.entry(next.kid)).toMatchObject({ state: 'next', since, usable_from });
    expect(store.entry(first)).toMatchObject({ state: 'retired', since, until: isoAfter(day + retention) });
  });
});

describe('a retired key', () => {
  test.for([
    ['longer', tokenLifetimeSeconds, day],
    ['shorter', day, tokenLifetimeSeconds],
  ] as const)(
    'stays published for its longest tokens, also if later ones are %s',
    async ([, before, now]) => {
      const { store, rotate, ensure, dependencies } = await deployed();
      const { kid } = store.keys.current;
      dependencies.tokenLifetimeSeconds = before;
      await ensure();
      dependencies.tokenLifetimeSeconds = now;
      await ensure();

      await rotate('1');

      const until = isoAfter(retentionSeconds(day));
      expect(store.entry(kid)).toMatchObject({ until, token_lifetime_seconds: day });
    },
  );

  // Two caches of five minutes: in the function that signs, and in the one that verifies.
  test('leaves the set when its last token has expired, plus caching time', async () => {
    const { store, rotate, ensure, pass } = await deployed();
    const { kid } = store.keys.current;
    await rotate('1');

    pass(tokenLifetimeSeconds + 300 + 300 - 1);
    await ensure();
    expect(store.entry(kid)).toBeDefined();
    pass(1);
    await ensure();
    expect(store.entry(kid)).toBeUndefined();
  });

  test('is not kept for the longer lifetime of tokens that it does not sign', async () => {
    const { store, rotate, ensure, dependencies, pass } = await deployed();
    const { kid } = store.keys.current;
    pass(day);
    await rotate('1');
    dependencies.tokenLifetimeSeconds = day;
    await ensure();
    const [until, token_lifetime_seconds] = [isoAfter(day + retention), tokenLifetimeSeconds];
    expect(store.entry(kid)).toMatchObject({ until, token_lifetime_seconds });
    expect(store.entry(store.keys.current.kid)?.token_lifetime_seconds).toBe(day);
  });
});
