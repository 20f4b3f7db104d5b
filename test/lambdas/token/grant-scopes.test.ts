import { expect, test } from 'vitest';
import { grantScopes } from '../../../lambdas/token/grant-scopes.ts';

/** The text of the scopes that a client gets, or the description of the refusal. */
function grant(requested: string | undefined, ...scopes: readonly string[]): string {
  try {
    return grantScopes(requested, { clientId: 'acme', organisationId: 'acme', scopes }).join(' ');
  } catch (error) {
    return (error as { body: { error_description: string } }).body.error_description;
  }
}

const both = ['sync:create', 'volume:read'];

test('the scopes that were asked for are granted once, or all, in the order of the contract', () => {
  for (const [requested, granted] of [
    [undefined, 'volume:read sync:create'],
    ['volume:read', 'volume:read'],
    ['sync:create', 'sync:create'],
    ['sync:create volume:read', 'volume:read sync:create'],
    ['volume:read volume:read', 'volume:read'],
  ] as const) {
    expect(grant(requested, ...both), requested).toBe(granted);
  }
});

test('a scope that the client does not hold is refused, also beside one that it holds', () => {
  for (const requested of ['sync:create', 'volume:read sync:create']) {
    const refused = 'The client may request these scopes only: volume:read';
    expect(grant(requested, 'volume:read'), requested).toBe(refused);
  }
  for (const requested of ['admin', 'Volume:Read', 'volume:read,sync:create']) {
    const refused = 'The client may request these scopes only: volume:read sync:create';
    expect(grant(requested, ...both), requested).toBe(refused);
  }
  for (const scopes of [[], ['no:such']]) {
    expect(grant(undefined, ...scopes)).toBe('The client holds no scope');
  }
});

test('a list of other characters, or not separated by one space, is refused (RFC 6749 section 3.3)', () => {
  const spaces = ['volume:read  sync:create', ' volume:read', 'volume:read ', ' ', '\t', 'volume:read\n'];
  const characters = ['ä', '"', '"volume:read', 'volume:read "', '\\', 'volume:read\\', '\0a', 'a\tb'];
  for (const requested of [...spaces, ...characters]) {
    const refused = 'scope must be a list of scopes, each separated by one space';
    expect(grant(requested, ...both), requested).toBe(refused);
  }
});
