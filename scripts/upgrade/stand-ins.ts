/** Members of a JWK whose values are replaced (RFC 7517, RFC 7518 section 6). */
const keyMembers = new Set(['kid', 'x', 'y', 'n', 'd', 'p', 'q', 'dp', 'dq', 'qi']);

/**
 * Replaces the values of keys: the same value always by the same text, of about the same length, which says that it is no
 * key. So nothing that is kept can sign or decrypt, and a version always records the same.
 */
export function createStandIns(): (value: unknown) => unknown {
  const known = new Map<string, string>();
  const standIn = (member: string, value: string) => {
    const made = known.get(value) ?? text(member, known.size + 1, value.length);
    known.set(value, made);
    return made;
  };
  const replace = (value: unknown): unknown => {
    if (Array.isArray(value)) {
      return value.map(replace);
    }
    if (typeof value !== 'object' || value === null) {
      return value;
    }
    const entries = Object.entries(value).map(([name, inner]) => [
      name,
      keyMembers.has(name) && typeof inner === 'string' ? standIn(name, inner) : replace(inner),
    ]);
    return Object.fromEntries(entries);
  };
  return replace;
}

/** The length is rounded up, because a number with a zero in front is shorter now and then. */
function text(member: string, count: number, valueLength: number): string {
  const length = Math.ceil(valueLength / 16) * 16;
  return `${member}-${count}-not-a-key-`.padEnd(length, 'not-a-key-').slice(0, length);
}
