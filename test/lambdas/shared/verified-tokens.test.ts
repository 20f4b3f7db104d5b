import { createVerifiedTokens } from '../../../lambdas/shared/tokens/verified-tokens.ts';

const limits = { entries: 4, bytes: 120, tokenBytes: 60 };
const now = 1_000_000;
const verified = (caller: string) => ({ kid: 'key', expiresAt: 1_001, caller });

/** Creates a cache and adds these tokens in order. Each caller is named like its token. */
function caching(texts: readonly string[], change: object = {}) {
  const tokens = createVerifiedTokens<string>({ ...limits, ...change });
  for (const text of texts) {
    tokens.add(text, verified(text));
  }
  return tokens;
}

describe('the cache of verified tokens', () => {
  test('finds only cached tokens', () => {
    const tokens = caching(['one']);
    expect(tokens.find('one', now)).toMatchObject(verified('one'));
    expect([tokens.find('One', now), tokens.find('', now)]).toEqual([undefined, undefined]);
  });

  // A half contains two tokens. The second one moves to the newer half when it is found.
  test.for(['one', 'two', 'three'])('forgets token %s in the second that it expires', (token) => {
    const tokens = caching(['one', 'two', 'three']);
    expect(tokens.find('two', 1_000_999)).toBeDefined();
    expect(tokens.find('three', 1_000_999)).toBeDefined();
    expect(tokens.find(token, 1_001_000)).toBeUndefined();
    // It does not return, even if the clock goes back.
    expect(tokens.find(token, 1_000_000)).toBeUndefined();
  });

  test('removes a token', () => {
    const tokens = caching(['one']);
    tokens.forget('one');
    tokens.forget('never cached');
    expect(tokens.find('one', now)).toBeUndefined();
  });

  test('caches so many tokens, those that were used last', () => {
    const tokens = caching(['a', 'b', 'c', 'd']);
    tokens.find('a', now);
    tokens.add('e', verified('e'));
    // The newer half is `a` and `e`. Finding `c` in the older half moves it to the newer one, which drops
    // `d`.
    const cached = ['a', 'b', 'e', 'c', 'd'].filter((token) => tokens.find(token, now) !== undefined);
    expect(cached).toEqual(['a', 'e', 'c']);
  });

  test('caches so many bytes, in halves that tokens fill exactly', () => {
    const ofHalfAHalf = (letter: string) => letter.repeat(30);
    const tokens = caching(['a', 'b', 'c', 'd', 'e'].map(ofHalfAHalf), { entries: 100 });
    const find = (letter: string) => tokens.find(ofHalfAHalf(letter), now) !== undefined;
    expect(['e', 'e', 'e', 'd', 'c', 'b'].map(find)).toEqual([true, true, true, true, true, false]);
  });

  test('does not cache a token that is too long, and drops none for it', () => {
    const [longest, tooLong] = ['x'.repeat(60), 'x'.repeat(61)];
    const tokens = caching(['a', longest, tooLong]);
    const found = ['a', longest, tooLong].map((token) => tokens.find(token, now)?.caller);
    expect(found).toEqual(['a', longest, undefined]);
  });

  test.for([
    ['1,000 tokens', 500, 500, 1_000],
    ['1 MiB of longer tokens', 4096, 128, 256],
  ] as const)('caches %s by default', ([, length, least, max]) => {
    const tokens = createVerifiedTokens();
    const added = Array.from({ length: 1_100 }, (_, index) => String(index).padStart(length, '.'));
    for (const token of added) {
      tokens.add(token, verified('caller'));
    }
    const cached = added.filter((token) => tokens.find(token, now) !== undefined).length;
    expect(cached).toBeGreaterThanOrEqual(least);
    expect(cached).toBeLessThanOrEqual(max);
  });
});
