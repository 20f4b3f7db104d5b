import { grantScopes } from '../../../lambdas/token/grant-scopes.ts';
import type { TokenError } from '../../../lambdas/token/token-error.ts';

/** Returns the granted scopes as text, or the description of the rejection. */
function grant(requested: string | undefined, ...scopes: readonly string[]): string {
  try {
    return grantScopes(requested, { clientId: 'acme', organisationId: 'acme', scopes }).join(' ');
  } catch (error) {
    return (error as TokenError).parts.body.error_description ?? '';
  }
}

const both = ['sync:create', 'volume:read'];

test.for([
  [undefined, 'volume:read sync:create'],
  ['sync:create', 'sync:create'],
  ['sync:create volume:read', 'volume:read sync:create'],
  ['volume:read volume:read', 'volume:read'],
])('a client that requests %j is granted %j', ([requested, granted]) => {
  expect(grant(requested, ...both)).toBe(granted);
});

test.for(['sync:create', 'volume:read sync:create'])('%j is rejected for a reader', (requested) => {
  expect(grant(requested, 'volume:read')).toBe('The client may request these scopes only: volume:read');
});

test.for(['admin', 'Volume:Read', 'volume:read,sync:create'])('%j is no scope', (requested) => {
  const rejected = 'The client may request these scopes only: volume:read sync:create';
  expect(grant(requested, ...both)).toBe(rejected);
});

test('a client without a known scope is rejected', () => {
  expect([grant(undefined), grant(undefined, 'no:such')]).toEqual([
    'The client holds no scope',
    'The client holds no scope',
  ]);
});

const spaces = ['volume:read  sync:create', ' volume:read', 'volume:read ', 'volume:read\n'];
const characters = ['ä', '"', 'volume:read "', '\\', 'volume:read \\', '\0a', 'a\tb'];

test.for([...spaces, ...characters])('%j is no list (RFC 6749 section 3.3)', (requested) => {
  expect(grant(requested, ...both)).toBe('scope must be a list of scopes, each separated by one space');
});
