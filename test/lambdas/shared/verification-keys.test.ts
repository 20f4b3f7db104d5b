import { createFindKey, importKeySet } from '../../../lambdas/shared/keys/verification-keys.ts';
import type { KeySet } from '../../../storage/signing-keys.ts';
import { keySetOf, newKey, noon } from '../../support/signing-keys.ts';

/** Finds keys in a cached set, which a refresh replaces with another. */
function lookUpIn(cached: KeySet, fresh = cached) {
  const clock = { time: noon.getTime() };
  const refresh = vi.fn(async () => importKeySet(fresh));
  const find = createFindKey({ get: async () => importKeySet(cached), refresh }, () => clock.time);
  return { find, refresh, clock };
}

describe('the lookup of a published key', () => {
  test('only an unknown kid refreshes the set, so that a new key verifies', async () => {
    const [first, second] = await Promise.all([newKey(), newKey()]);
    const { find, refresh } = lookUpIn(keySetOf(first), keySetOf(first, second));
    expect(await find(first.kid)).toMatchObject({ alg: 'ES256' });
    expect(refresh).not.toHaveBeenCalled();
    expect(await find(second.kid)).toMatchObject({ alg: 'ES256' });
    expect(await find('A'.repeat(43))).toBeUndefined();
    expect(refresh).toHaveBeenCalledTimes(2);
  });

  const madeUp = 'A'.repeat(43);
  const short = madeUp.slice(1);

  test.for([short, `${madeUp}A`, `.${madeUp}`, `${madeUp}\n`, `${short}+`])(
    'the kid %j, in a foreign format, refreshes nothing',
    async (kid) => {
      const { find, refresh } = lookUpIn(keySetOf(await newKey()));
      expect(await find(kid)).toBeUndefined();
      expect(refresh).not.toHaveBeenCalled();
    },
  );

  test('a retired key is not found after its end', async () => {
    const [current, retired] = await Promise.all([newKey(), newKey()]);
    const { keys } = keySetOf(current, retired);
    const until = new Date(noon.getTime() + 60_000).toISOString();
    const { find, clock } = lookUpIn({
      keys: keys.map((entry) =>
        entry.jwk.kid === retired.kid ? { ...entry, state: 'retired', until } : entry,
      ),
    });
    clock.time += 59_999;
    expect(await find(retired.kid)).toBeDefined();
    clock.time += 1;
    expect(await find(current.kid)).toBeDefined();
    expect(await find(retired.kid)).toBeUndefined();
  });
});
