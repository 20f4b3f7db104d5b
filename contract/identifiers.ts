/**
 * A file, organisation or client identifier: 1 to 128 unreserved characters of RFC 3986 section 2.3. Such an identifier
 * needs no percent-encoding in a path.
 */
export const identifierPattern = /^[A-Za-z0-9._~-]{1,128}$/;

/** True if the text is a well-formed identifier. A malformed identifier needs no lookup. */
export function isIdentifier(text: string): boolean {
  return identifierPattern.test(text);
}

/** Digits and lower-case letters, without `i`, `l`, `o` and `u`, which are easily confused. */
const alphabet = '0123456789abcdefghjkmnpqrstvwxyz';

const madeLength = 26;

/** Kinds of identifiers that the operator's tools create. */
type IdentifierKind = 'client' | 'file' | 'secret';

/**
 * Creates an identifier: the kind, an underscore, and 26 characters that encode 130 random bits.
 *
 * @param randomBytes function that returns the given number of cryptographically random bytes, like
 * `randomBytes` of node:crypto
 *
 * @example
 * ```ts
 * newIdentifier('client', randomBytes); // client_ and 26 characters
 * ```
 */
export function newIdentifier(kind: IdentifierKind, randomBytes: (size: number) => Uint8Array): string {
  const characters = Array.from(randomBytes(madeLength), (byte) => alphabet.charAt(byte % alphabet.length));
  return `${kind}_${characters.join('')}`;
}

const madeClientId = new RegExp(`^client_[${alphabet}]{${madeLength}}$`);

/** True if the text is a client identifier in the form that {@link newIdentifier} creates. */
export function isMadeClientId(text: string): boolean {
  return madeClientId.test(text);
}
