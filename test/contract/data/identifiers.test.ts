import { randomBytes } from 'node:crypto';
import { isIdentifier, isMadeClientId, newIdentifier } from '../../../contract/identifiers.ts';

describe('an identifier (docs/stored-items.md)', () => {
  test.for(['a', 'orders.csv', 'A-Z_a~z.0-9', 'x'.repeat(128)])('may be %.20s', (text) => {
    expect(isIdentifier(text)).toBe(true);
  });

  test.for(['', 'x'.repeat(129), 'a b', ' a', 'a\n', 'a/b', '%20', 'é', '\0'])('is not %j', (text) => {
    expect(isIdentifier(text)).toBe(false);
  });
});

describe('an identifier that the tools create', () => {
  test.for(['client', 'file', 'secret'] as const)('of a %s says so, and holds 130 random bits', (kind) => {
    const made = newIdentifier(kind, randomBytes);
    expect(made).toMatch(new RegExp(`^${kind}_[0-9a-hj-km-np-tv-z]{26}$`));
    expect(isIdentifier(made)).toBe(true);
  });

  test('derives each character from one byte, all 32 equally often', () => {
    const every = newIdentifier('file', (size) =>
      Uint8Array.from({ length: size }, (_, index) => index + 32),
    );
    expect(every).toBe('file_0123456789abcdefghjkmnpqrs');
    const last = newIdentifier('file', (size) => new Uint8Array(size).fill(255));
    expect(last).toBe(`file_${'z'.repeat(26)}`);
  });

  const made = newIdentifier('client', randomBytes);

  test('of a client is one', () => {
    expect(isMadeClientId(made)).toBe(true);
  });

  test.for([
    ...[` ${made}`, `${made}\n`, `x${made}`, `${made}0`, made.slice(0, -1), made.slice(1)],
    ...[newIdentifier('file', randomBytes), `client_${'l'.repeat(26)}`],
  ])('of a client is not %j', (text) => {
    expect(isMadeClientId(text)).toBe(false);
  });
});
