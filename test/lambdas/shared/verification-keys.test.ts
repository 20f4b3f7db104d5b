import { describe, expect, test } from 'vitest';
import { createCache } from '../../../lambdas/shared/keys/cache.ts';
import { createFindKey, importKeySet } from '../../../lambdas/shared/keys/verification-keys.ts';
import type { KeySet } from '../../../storage/signing-keys.ts';
import { keySetOf, newKey, noon } from '../../support/signing-keys.ts';

async function published(initial: KeySet) {
  let keySet = initial;
  let loads = 0;
  let time = noon.getTime();
  const now = () => time;
  const cache = createCache({
    load: async () => {
      loads += 1;
      return importKeySet(keySet);
    },
    now,
    onRefreshFailed: () => undefined,
  });
  return {
    find: createFindKey(cache, now),
    publish: (next: KeySet) => {
      keySet = next;
    },
    pass: (seconds: number) => {
      time += seconds * 1000;
    },
    loads: () => loads,
  };
}

describe('looking up a published key', () => {
  test('an unknown kid fetches the set immediately, so that a new key verifies without delay', async () => {
    const [first, second] = await Promise.all([newKey(), newKey()]);
    const { find, publish, pass, loads } = await published(keySetOf(first));
    expect(await find(first.kid)).toMatchObject({ alg: 'ES256' });
    publish(keySetOf(first, second));
    pass(10);
    // A known one fetches nothing.
    expect(await find(first.kid)).toBeDefined();
    expect(loads()).toBe(1);
    expect(await find(second.kid)).toMatchObject({ alg: 'ES256' });
    expect(loads()).toBe(2);
  });

  test('a flood of unknown kids fetches at most every ten seconds', async () => {
    const [key, unknown] = await Promise.all([newKey(), newKey()]);
    const { find, pass, loads } = await published(keySetOf(key));
    for (let request = 0; request < 100; request++) {
      expect(await find(unknown.kid)).toBeUndefined();
    }
    expect(loads()).toBe(1);
    pass(10);
    await Promise.all(Array.from({ length: 100 }, () => find(unknown.kid)));
    expect(loads()).toBe(2);
  });

  const madeUp = 'A'.repeat(43);

  test('a kid that no key of ours can have fetches nothing', async () => {
    const { find, pass, loads } = await published(keySetOf(await newKey()));
    const short = madeUp.slice(1);
    for (const kid of ['x', '', '../../key', short, `${madeUp}A`, `.${madeUp}`, `${madeUp}\n`, `${short}+`]) {
      pass(15);
      expect(await find(kid), kid).toBeUndefined();
    }
    expect(loads()).toBe(1);
    // The same cache does fetch for one that could be ours.
    await find(madeUp);
    expect(loads()).toBe(2);
  });

  test('a retired key is not found after its end while another key is published', async () => {
    const [current, retired] = await Promise.all([newKey(), newKey()]);
    const { keys } = keySetOf(current, retired);
    const until = new Date(noon.getTime() + 60_000).toISOString();
    const { find, pass } = await published({
      keys: keys.map((entry) =>
        entry.jwk.kid === retired.kid ? { ...entry, state: 'retired', until } : entry,
      ),
    });
    pass(59);
    expect(await find(retired.kid)).toBeDefined();
    pass(1);
    expect(await find(current.kid)).toBeDefined();
    expect(await find(retired.kid)).toBeUndefined();
  });
});
