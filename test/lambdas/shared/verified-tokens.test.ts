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

  test('forgets a token from the second that it expires', () => {
    const tokens = createVerifiedTokens(limits);
    tokens.add('one', verified('caller', 1_001));
    expect(tokens.find('one', 1_000_999)).toBeDefined();
    expect(tokens.find('one', 1_001_000)).toBeUndefined();
    // It does not come back, even for a clock that does.
    expect(tokens.find('one', 1_000_000)).toBeUndefined();
  });

  test('forgets an expired token in its older half too, and again after it moved to the newer one', () => {
    const tokens = createVerifiedTokens(limits);
    tokens.add('one', verified('caller', 1_001));
    tokens.add('two', verified('caller', 1_001));
    // Two tokens are a half.
    tokens.add('three', verified('caller', 1_001));
    expect(tokens.find('one', 1_001_000)).toBeUndefined();
    expect(tokens.find('two', 1_000_999)).toBeDefined();
    expect(tokens.find('two', 1_001_000)).toBeUndefined();
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
    const cached = ['a', 'b', 'c', 'd', 'e'].filter((token) => tokens.find(token, now) !== undefined);
    expect(cached).toEqual(expect.arrayContaining(['a', 'e']));
    expect(cached.length).toBeLessThanOrEqual(limits.entries);
  });

  test('caches so many bytes', () => {
    const tokens = createVerifiedTokens(limits);
    const letters = ['a', 'b', 'c', 'd'];
    for (const letter of letters) {
      tokens.add(letter.repeat(50), verified(letter));
    }
    const cached = letters.filter((letter) => tokens.find(letter.repeat(50), now) !== undefined);
    expect(cached).toEqual(['c', 'd']);
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

  test('holds 1,000 tokens by default, but not more than 1 MiB of them', () => {
    const tokens = createVerifiedTokens();
    const id = (index: number, length: number) => String(index).padStart(length, '.');
    const cached = (count: number, length: number) =>
      Array.from({ length: count }, (_, index) => tokens.find(id(index, length), now)).filter(Boolean).length;
    for (let index = 0; index < 1_100; index += 1) {
      tokens.add(id(index, 500), verified('caller'));
    }
    const short = cached(1_100, 500);
    expect(short).toBeGreaterThanOrEqual(500);
    expect(short).toBeLessThanOrEqual(1_000);
    for (let index = 0; index < 1_100; index += 1) {
      tokens.add(id(index, 4096), verified('caller'));
    }
    expect(cached(1_100, 500)).toBe(0);
    const long = cached(1_100, 4096);
    expect(long).toBeGreaterThanOrEqual(128);
    expect(long).toBeLessThanOrEqual(256);
  });
});
