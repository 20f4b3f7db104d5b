import fc from 'fast-check';

/** Part of every hostile text. A search for it finds all places that repeat the text or a part of it. */
export const marker = 'zqReflectedzq';

/** Parts of attacks: line breaks, terminal escapes, look-ups, paths, quotes, operators of other languages. */
const fragments = [
  '\r\nset-cookie: stolen=1',
  '\n{"level":"ERROR","message":"forged"}',
  '\u001b[2J\u001b[31mred',
  '\u009b31m',
  '\u202egnp.exe',
  '\u0000',
  '\u2028',
  // biome-ignore lint/suspicious/noTemplateCurlyInString: a look-up of Log4j as it is written
  '${jndi:ldap://127.0.0.1/a}',
  '%s%n%x',
  '%00',
  '%0d%0aset-cookie:%20stolen=1',
  '%252e%252e%252f',
  '../../../../etc/passwd',
  '..\\..\\windows',
  '__proto__',
  'constructor',
  'toString',
  '{"$ne":null}',
  '[]',
  "' OR '1'='1",
  '=cmd|calc',
  '<script>alert(1)</script>',
  '"',
  '\\',
  '\\u000a',
  '$context.path',
  '#',
  ';',
  '&',
  '=',
  '+',
  ',',
  ':',
  ' ',
  '\t',
] as const;

const fragment = fc.constantFrom(...fragments);

const anyText = fc.oneof(
  { weight: 4, arbitrary: fc.string({ unit: 'binary', maxLength: 40 }) },
  { weight: 3, arbitrary: fc.array(fragment, { minLength: 1, maxLength: 4 }).map((parts) => parts.join('')) },
  { weight: 2, arbitrary: fc.string({ unit: 'grapheme', maxLength: 20 }) },
  // Oversized and nested input.
  {
    weight: 1,
    arbitrary: fc
      .tuple(fragment, fc.integer({ min: 100, max: 6000 }))
      .map(([text, length]) => text.repeat(Math.ceil(length / text.length)).slice(0, length)),
  },
  {
    weight: 1,
    arbitrary: fc.integer({ min: 1, max: 2000 }).map((depth) => '['.repeat(depth) + ']'.repeat(depth)),
  },
);

/** Any text, half of the time with the {@link marker} at both ends. */
export const hostileText = fc
  .tuple(anyText, fc.boolean())
  .map(([text, marked]) => (marked ? `${marker}${text}${marker}` : text));

/**
 * Returns the text as UTF-8, one byte for each character, without the line breaks that would end a header.
 */
export function headerBytes(text: string): string {
  return Buffer.from(text, 'utf8')
    .toString('latin1')
    .replace(/[\r\n]/g, ' ');
}

/** Percent-encodes every byte; invalid Unicode becomes U+FFFD. */
export function percentEncoded(text: string): string {
  return Buffer.from(text, 'utf8').toString('hex').toUpperCase().replace(/../g, '%$&');
}

/** Changes to a text as an attacker would try them. */
export const mutation = fc
  .tuple(
    fc.constantFrom('replace', 'insert', 'delete', 'truncate', 'repeat', 'case', 'swap'),
    fc.nat(),
    fc.nat(),
  )
  .map(([kind, at, what]) => (text: string): string => {
    const index = text.length === 0 ? 0 : at % text.length;
    const character = String.fromCharCode(0x21 + (what % 0x5e));
    const [before, after] = [text.slice(0, index), text.slice(index + 1)];
    switch (kind) {
      case 'replace':
        return before + character + after;
      case 'insert':
        return before + character + text.slice(index);
      case 'delete':
        return before + after;
      case 'truncate':
        return before;
      case 'repeat':
        return text + text.slice(index);
      case 'case':
        return before + (text[index] ?? '').toUpperCase() + after.toLowerCase();
      case 'swap':
        return text.slice(index) + before;
    }
  });
