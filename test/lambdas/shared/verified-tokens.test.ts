import { describe, expect, test } from 'vitest';
import { createVerifiedTokens } from '../../../lambdas/shared/tokens/verified-tokens.ts';

const limits = { entries: 4, bytes: 120, tokenBytes: 60 };
const now = 1_000_000;
const verified = (caller: string, expiresAt = 2_000) => ({ kid: 'key', expiresAt, caller });

describe('the cache of verified tokens', () => {
  test('finds a cached token, and no other', () => {
    const tokens = createVerifiedTokens(limits);
    tokens.add('one', verified('caller'));
    expect(tokens.find('one', now)).toMatchObject(verified('caller'));
    expect(tokens.find('One', now)).toBeUndefined();
    expect(tokens.find('', now)).toBeUndefined();
  });

  // Two tokens are a half. The second one moves to the newer half when it is found.
  test.for(['one', 'two', 'three'])('forgets token %s in the second that it expires', (token) => {
    const tokens = createVerifiedTokens(limits);
    for (const each of ['one', 'two', 'three']) {
      tokens.add(each, verified('caller', 1_001));
    }
    expect(tokens.find('two', 1_000_999)).toBeDefined();
    expect(tokens.find('three', 1_000_999)).toBeDefined();
    expect(tokens.find(token, 1_001_000)).toBeUndefined();
    // It does not come back, even for a clock that does.
    expect(tokens.find(token, 1_000_000)).toBeUndefined();
  });

  test('forgets what it is told to', () => {
    const tokens = createVerifiedTokens(limits);
    tokens.add('one', verified('caller'));
    tokens.forget('one');
    tokens.forget('never cached');
    expect(tokens.find('one', now)).toBeUndefined();
  });

  test('caches so many tokens, those that were used last', () => {
    const tokens = createVerifiedTokens(limits);
    for (const token of ['a', 'b', 'c', 'd']) {
      tokens.add(token, verified(token));
    }
    expect(tokens.find('a', now)).toMatchObject({ caller: 'a' });
    tokens.add('e', verified('e'));
    // The newer half is `a` and `e`. To find `c` in the older one makes room for it, which drops `d`.
    const cached = ['a', 'b', 'e', 'c', 'd'].filter((token) => tokens.find(token, now) !== undefined);
    expect(cached).toEqual(['a', 'e', 'c']);
  });

  test('caches so many bytes, in halves that tokens fill exactly', () => {
    const tokens = createVerifiedTokens({ ...limits, entries: 100 });
    const ofHalfAHalf = (letter: string) => letter.repeat(30);
    for (const letter of ['a', 'b', 'c', 'd', 'e']) {
      tokens.add(ofHalfAHalf(letter), verified(letter));
    }
    const found = ['e', 'e', 'e', 'd', 'c', 'b'].map(
      (letter) => tokens.find(ofHalfAHalf(letter), now)?.caller,
    );
    expect(found).toEqual(['e', 'e', 'e', 'd', 'c', undefined]);
  });

  test('does not keep a token that is too long, and so loses none for it', () => {
    const tokens = createVerifiedTokens(limits);
    tokens.add('a', verified('a'));
    tokens.add('x'.repeat(60), verified('as long as may be'));
    tokens.add('x'.repeat(61), verified('too long'));
    expect(tokens.find('a', now)).toBeDefined();
    expect(tokens.find('x'.repeat(60), now)).toBeDefined();
    expect(tokens.find('x'.repeat(61), now)).toBeUndefined();
  });

  test.for([
    ['1,000 tokens', 500, 500, 1_000],
    ['1 MiB of longer tokens', 4096, 128, 256],
  ] as const)('holds %s by default', ([, length, least, most]) => {
    const tokens = createVerifiedTokens();
    const added = Array.from({ length: 1_100 }, (_, index) => String(index).padStart(length, '.'));
    for (const token of added) {
      tokens.add(token, verified('caller'));
    }
    const cached = added.filter((token) => tokens.find(token, now) !== undefined).length;
    expect(cached).toBeGreaterThanOrEqual(least);
    expect(cached).toBeLessThanOrEqual(most);
  });
});
