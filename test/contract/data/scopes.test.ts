import { expect, test } from 'vitest';
import { isScope, scopes } from '../../../contract/routes.ts';

test('a scope is one of the two of docs/api.md, and no other text', () => {
  expect(scopes).toEqual(['volume:read', 'sync:create']);
  expect(scopes.every(isScope)).toBe(true);
  const others = ['', 'volume', 'volume:write', 'VOLUME:READ', ' volume:read', 'toString', '__proto__'];
  expect(others.filter(isScope)).toEqual([]);
});
