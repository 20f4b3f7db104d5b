import { describe, expect, test } from 'vitest';
import { isScope, scopes } from '../../../contract/scopes.ts';

describe('a scope', () => {
  test('is one of the two of docs/api.md', () => {
    expect(scopes).toEqual(['volume:read', 'sync:create']);
    expect(scopes.every(isScope)).toBe(true);
  });

  test.each(['', 'volume', 'volume:write', 'VOLUME:READ', ' volume:read', 'toString', '__proto__'])(
    'is not %j',
    (text) => {
      expect(isScope(text)).toBe(false);
    },
  );
});
