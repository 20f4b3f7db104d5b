import { describe, expect, test } from 'vitest';
import { createVerifiedTokens, tokenIdOf } from '../../../lambdas/shared/verified-tokens.ts';

const limits = { entries: 3, bytes: 100, tokenBytes: 60 };
const now = 1_000_000;
const verified = (caller: string, expiresAt = 2_000) => ({ kid: 'key', expiresAt, caller });

describe('the cache of verified tokens', () => {
  test('finds a token that it keeps, and no other', () => {
    const tokens = createVerifiedTokens(limits);
    tokens.keep(tokenIdOf('one'), verified('caller'));
    expect(tokens.find(tokenIdOf('one'), now)).toMatchObject(verified('caller'));
    expect(tokens.find(tokenIdOf('One'), now)).toBeUndefined();
    expect(tokens.find(tokenIdOf(''), now)).toBeUndefined();
  });

  test('forgets a token from the second that it expires', () => {
    const tokens = createVerifiedTokens(limits);
    tokens.keep(tokenIdOf('one'), verified('caller', 1_001));
    expect(tokens.find(tokenIdOf('one'), 1_000_999)).toBeDefined();
    expect(tokens.find(tokenIdOf('one'), 1_001_000)).toBeUndefined();
    // It does not come back, even for a clock that does.
    expect(tokens.find(tokenIdOf('one'), 1_000_000)).toBeUndefined();
  });

  test('forgets what it is told to', () => {
    const tokens = createVerifiedTokens(limits);
    tokens.keep(tokenIdOf('one'), verified('caller'));
    tokens.forget(tokenIdOf('one'));
    tokens.forget(tokenIdOf('never kept'));
    expect(tokens.find(tokenIdOf('one'), now)).toBeUndefined();
  });

  test('keeps so many tokens, and lets go the one that was unused for longest', () => {
    const tokens = createVerifiedTokens(limits);
    for (const token of ['a', 'b', 'c']) {
      tokens.keep(tokenIdOf(token), verified(token));
    }
    tokens.find(tokenIdOf('a'), now);
    tokens.keep(tokenIdOf('d'), verified('d'));
    const kept = ['a', 'b', 'c', 'd'].filter((token) => tokens.find(tokenIdOf(token), now) !== undefined);
    expect(kept).toEqual(['a', 'c', 'd']);
  });

  test('keeps so many bytes, and counts them again when a token goes', () => {
    const tokens = createVerifiedTokens(limits);
    const long = (letter: string) => tokenIdOf(letter.repeat(50));
    for (const letter of ['a', 'b', 'c']) {
      tokens.keep(long(letter), verified(letter));
    }
    expect(['a', 'b', 'c'].map((letter) => tokens.find(long(letter), now)?.caller)).toEqual([
      undefined,
      'b',
      'c',
    ]);
    tokens.forget(long('b'));
    tokens.keep(long('d'), verified('d'));
    tokens.keep(long('d'), verified('d'));
    expect(['c', 'd'].map((letter) => tokens.find(long(letter), now)?.caller)).toEqual(['c', 'd']);
  });

  test('does not keep a token that is too long, and so loses none for it', () => {
    const tokens = createVerifiedTokens(limits);
    tokens.keep(tokenIdOf('a'), verified('a'));
    tokens.keep(tokenIdOf('x'.repeat(60)), verified('as long as may be'));
    tokens.keep(tokenIdOf('x'.repeat(61)), verified('too long'));
    expect(tokens.find(tokenIdOf('a'), now)).toBeDefined();
    expect(tokens.find(tokenIdOf('x'.repeat(60)), now)).toBeDefined();
    expect(tokens.find(tokenIdOf('x'.repeat(61)), now)).toBeUndefined();
  });

  test('counts the bytes of a token, not its characters', () => {
    expect(tokenIdOf('é€').bytes).toBe(5);
  });

  test('holds 1,000 tokens by default, but not more than 1 MiB of them', () => {
    const tokens = createVerifiedTokens();
    const id = (index: number, length: number) => tokenIdOf(String(index).padStart(length, '.'));
    const kept = (count: number, length: number) =>
      Array.from({ length: count }, (_, index) => tokens.find(id(index, length), now)).filter(Boolean).length;
    for (let index = 0; index < 1_100; index += 1) {
      tokens.keep(id(index, 500), verified('caller'));
    }
    expect(kept(1_100, 500)).toBe(1_000);
    for (let index = 0; index < 1_100; index += 1) {
      tokens.keep(id(index, 4096), verified('caller'));
    }
    expect(kept(1_100, 4096)).toBe(256);
    expect(kept(1_100, 500)).toBe(0);
  });
});
