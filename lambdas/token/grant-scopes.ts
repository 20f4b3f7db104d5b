import { type Scope, scopes } from '../../contract/routes.ts';
import type { KnownClient } from '../shared/http/rejection.ts';
import { TokenError } from './token-error.ts';

/** RFC 6749 section 3.3: scope-tokens of printable ASCII without `"` and `\`, between single spaces. */
const scopeSyntax = /^[\x21\x23-\x5B\x5D-\x7E]+(?: [\x21\x23-\x5B\x5D-\x7E]+)*$/;

/**
 * Decides the scopes of a token: the requested ones, or all scopes of the client. A scope that is requested
 * twice is granted once. The order is always the contract's, so equal grants have equal text.
 *
 * @throws {TokenError} `invalid_scope` for a malformed request, a scope that is not granted to the client, or
 * a client without scopes. RFC 6749 defines no syntax for a token without a scope, and such a token would be
 * useless
 */
export function grantScopes(
  requested: string | undefined,
  client: KnownClient & { readonly scopes: readonly string[] },
): readonly Scope[] {
  const allowed = scopes.filter((scope) => client.scopes.includes(scope));
  if (allowed.length === 0) {
    throw TokenError.invalidScope('The client holds no scope', client);
  }
  if (requested === undefined) {
    return allowed;
  }
  if (!scopeSyntax.test(requested)) {
    throw TokenError.invalidScope('scope must be a list of scopes, each separated by one space', client);
  }
  const wanted: ReadonlySet<string> = new Set(requested.split(' '));
  const granted = allowed.filter((scope) => wanted.has(scope));
  if (granted.length < wanted.size) {
    throw TokenError.invalidScope(`The client may request these scopes only: ${allowed.join(' ')}`, client);
  }
  return granted;
}
