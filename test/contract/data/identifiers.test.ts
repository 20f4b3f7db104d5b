import { randomBytes } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { isIdentifier, isMadeClientId, newIdentifier } from '../../../contract/identifiers.ts';

describe('an identifier (storage/README.md)', () => {
  test('has 1 to 128 letters, digits and four other characters', () => {
    const right = ['a', 'orders.csv', 'A-Z_a~z.0-9', 'x'.repeat(128)];
    expect(right.filter((text) => !isIdentifier(text))).toEqual([]);
    const wrong = ['', 'x'.repeat(129), 'a b', ' a', 'a\n', 'a/b', '%20', 'é', '\0'];
    expect(wrong.filter(isIdentifier)).toEqual([]);
  });
});

describe('an identifier that the tools make', () => {
  test('names its kind, and holds 130 random bits', () => {
    for (const kind of ['client', 'file', 'secret'] as const) {
      const made = newIdentifier(kind, randomBytes);
      expect(made).toMatch(new RegExp(`^${kind}_[0-9a-hj-km-np-tv-z]{26}$`));
      expect(isIdentifier(made)).toBe(true);
    }
  });

  test('takes every character from its own byte, all 32 equally often', () => {
    const every = newIdentifier('file', (size) =>
      Uint8Array.from({ length: size }, (_, index) => index + 32),
    );
    expect(every).toBe('file_0123456789abcdefghjkmnpqrs');
    const last = newIdentifier('file', (size) => new Uint8Array(size).fill(255));
    expect(last).toBe(`file_${'z'.repeat(26)}`);
  });

  test('of a client is told from other texts', () => {
    const made = newIdentifier('client', randomBytes);
    expect(isMadeClientId(made)).toBe(true);
    for (const other of [` ${made}`, `${made}\n`, `x${made}`, `${made}0`, made.slice(0, -1), made.slice(1)]) {
      expect(isMadeClientId(other)).toBe(false);
    }
    expect(isMadeClientId(newIdentifier('file', randomBytes))).toBe(false);
    expect(isMadeClientId(`client_${'l'.repeat(26)}`)).toBe(false);
  });
});
