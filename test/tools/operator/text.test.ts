import {
  formatBytes,
  formatSeconds,
  formatSize,
  hideSecrets,
  printable,
  quoted,
  shellWord,
} from '../../../tools/operator/text.ts';

describe('text that is repeated', () => {
  test.for([
    ['of 128 emoji is whole', '😀'.repeat(128), '😀'.repeat(128)],
    [
      'that is longer keeps its beginning and its end',
      `${'a'.repeat(40)}${'b'.repeat(69)}${'c'.repeat(20)}`,
      `${'a'.repeat(40)}…${'c'.repeat(20)}`,
    ],
  ] as const)('%s', ([, text, shown]) => expect(quoted(text)).toBe(`"${shown}"`));

  test.for([
    ['orders.csv', 'orders.csv'],
    ['', "''"],
    ['~a', "'~a'"],
    ['a~', 'a~'],
    ['a b', "'a b'"],
    ["it's", "'it'\\''s'"],
    ['$HOME', "'$HOME'"],
  ] as const)('%j in a shell command is %s', ([text, word]) => expect(shellWord(text)).toBe(word));

  test('shows no secret and no signature, and the rest as it is', () => {
    const url = 'https://b/k?X-Amz-Credential=a%2Fb&X-Amz-Date=1&X-Amz-Signature=c d';
    expect(hideSecrets(`fss_${'a'.repeat(49)} at ${url}`)).toBe(
      'fss_(a client secret, not shown) at https://b/k?X-Amz-Credential=(not shown)&X-Amz-Date=1&X-Amz-Signature=(not shown) d',
    );
  });

  test('does not act on a terminal', () => {
    expect(printable('a\u001b[31mb\nc\u202ed')).toBe('a\u{fffd}[31mb\u{fffd}c\u{fffd}d');
    expect(printable('Zoë 注文 👩‍👩‍👧')).toBe('Zoë 注文 👩‍👩‍👧');
  });
});

test.for([
  [0.6, '1 byte'],
  [1023, '1,023 bytes'],
  [1024, '1.0 KiB'],
  [1_048_524, '1023.9 KiB'],
  [1_048_525, '1.0 MiB'],
  [2 ** 50, '1024.0 TiB'],
] as const)('%f bytes are %s', ([bytes, text]) => expect(formatBytes(bytes)).toBe(text));

test.for([
  [1023, '1,023 bytes'],
  [1024, '1.0 KiB (1,024 bytes)'],
] as const)('the size of %i bytes is %s', ([bytes, text]) => expect(formatSize(bytes)).toBe(text));

test.for([
  [0.42, '0.4 s'],
  [9.94, '9.9 s'],
  [9.95, '10 s'],
  [59.4, '59 s'],
  [59.5, '1 min 00 s'],
  [185, '3 min 05 s'],
  [3599.5, '1 h 00 min'],
  [7830, '2 h 11 min'],
] as const)('%f seconds are %s', ([seconds, text]) => expect(formatSeconds(seconds)).toBe(text));
