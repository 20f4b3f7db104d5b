import { describe, expect, test } from 'vitest';
import { parseDuration, parseName } from '../../../tools/operator/parse-input.ts';
import { formatBytes, formatSeconds, printable, quoted, shellWord } from '../../../tools/operator/text.ts';
import { jsonText } from '../../../tools/terminal/output.ts';
import { createProgress, transferText } from '../../../tools/terminal/progress.ts';
import { renderDetails } from '../../../tools/terminal/table.ts';
import { backoffMilliseconds } from '../../../tools/upload/retry.ts';
import { parseBaseUrl } from '../../../tools/upload/settings.ts';
import { TextCollector } from '../../support/text-stream.ts';

describe('text that is repeated', () => {
  test('is whole up to the length of the longest id', () => {
    expect(quoted('x'.repeat(128))).toBe(`"${'x'.repeat(128)}"`);
    const long = `${'a'.repeat(40)}${'b'.repeat(100)}${'c'.repeat(20)}`;
    expect(quoted(long)).toBe(`"${'a'.repeat(40)}…${'c'.repeat(20)}"`);
    expect(quoted('😀'.repeat(128))).toBe(`"${'😀'.repeat(128)}"`);
  });

  test.for([
    ['orders.csv', 'orders.csv'],
    ['', "''"],
    ['~', "'~'"],
    ['a b', "'a b'"],
    ["it's", "'it'\\''s'"],
    ['$HOME', "'$HOME'"],
  ] as const)('%j is typed as %s', ([text, word]) => {
    expect(shellWord(text)).toBe(word);
  });
});

test('JSON shows no character that acts on a terminal or that nobody sees', () => {
  const value = { name: 'a\u200b\u202eb\u200dc\u{e0041}\u2800\u0085\ud800' };
  const escaped = '\\u200b\\u202eb\\u200dc\\udb40\\udc41\\u2800\\u0085\\ud800';
  expect(jsonText(value)).toBe(`{"name":"a${escaped}"}`);
  expect(JSON.parse(jsonText(value))).toEqual(value);
});

describe('progress', () => {
  const mebibyte = 1024 * 1024;

  /** What is written when this many mebibytes are moved in each second. */
  function written(isTTY: boolean, ...mebibytes: readonly number[]): string {
    let seconds = 0;
    const stream = new TextCollector({ isTTY, columns: 40 });
    const text = transferText('Moving', 40 * mebibyte);
    const progress = createProgress(stream, text, () => 1000 * seconds);
    for (const done of mebibytes) {
      seconds += 1;
      progress.update(done * mebibyte);
      progress.update(done * mebibyte);
    }
    progress.finish();
    return stream.text;
  }

  test('on a terminal is one line that is redrawn and taken away', () => {
    const start = '\r\u001b[2K';
    expect(written(true, 0, 4)).toBe(
      `${start}Moving: 0%, 0 bytes of 40.0 MiB${start}Moving: 10%, 4.0 MiB of 40.0 MiB, 2.0 M${start}`,
    );
  });

  test('elsewhere is nothing', () => {
    expect(written(false, 0, 4)).toBe('');
  });
});

describe('text', () => {
  test.for([
    [0, '0 bytes'],
    [1, '1 byte'],
    [1023, '1023 bytes'],
    [1024, '1.0 KiB'],
    [1_048_575, '1.0 MiB'],
    [5_368_709_120, '5.0 GiB'],
  ] as const)('%i bytes are %s', ([bytes, text]) => expect(formatBytes(bytes)).toBe(text));

  test.for([
    [0.42, '0.4 s'],
    [9.96, '10 s'],
    [185, '3 min 05 s'],
    [7830, '2 h 11 min'],
    [7190, '2 h 00 min'],
  ] as const)('%f seconds are %s', ([seconds, text]) => expect(formatSeconds(seconds)).toBe(text));

  test('what could act on a terminal is replaced', () => {
    expect(printable('a\u001b[31mb\nc\u202ed')).toBe('a\u{fffd}[31mb\u{fffd}c\u{fffd}d');
    expect(printable('Zoë 注文 👩‍👩‍👧')).toBe('Zoë 注文 👩‍👩‍👧');
  });
});

test('details leave out what has no value, and never act on a terminal', () => {
  const pairs = [['Name', 'a\u001b[2J'] as const, ['Ends', undefined] as const];
  expect(renderDetails(pairs)).toBe('Name  a\u{fffd}[2J\n');
});

describe('names and times', () => {
  test('a name has 200 characters, however many bytes they take', () => {
    expect(parseName('👩'.repeat(200))).toHaveLength(400);
    expect(() => parseName('a'.repeat(201))).toThrow('1 to 200');
    expect(() => parseName('  ')).toThrow('not only spaces');
    expect(() => parseName('a\u202eb')).toThrow('control');
  });

  test.for([
    ['0s', 0],
    ['90s', 90],
    ['365d', 31_536_000],
  ] as const)('%s is %i seconds', ([text, seconds]) => expect(parseDuration(text)).toBe(seconds));

  test.for(['', '7', 'd', '-1d', '366d', '1.5h', '1e3s', '7 d'])('%j is no length of time', (text) => {
    expect(() => parseDuration(text)).toThrow('is not a duration');
  });
});

describe('retries', () => {
  test('back off exponentially with full jitter, up to 20 s', () => {
    expect([1, 2, 3, 6, 7, 20].map((attempt) => backoffMilliseconds(attempt, 1))).toEqual([
      1000, 2000, 4000, 20_000, 20_000, 20_000,
    ]);
    expect(backoffMilliseconds(3, 0)).toBe(2000);
  });
});

describe('base URLs', () => {
  test.for([
    ['https://files.example.com/', 'https://files.example.com'],
    ['https://files.example.com/api/', 'https://files.example.com/api'],
    ['http://[::1]:3000/', 'http://[::1]:3000'],
  ] as const)('%s is %s', ([value, baseUrl]) => expect(parseBaseUrl(value)).toBe(baseUrl));

  test.for([
    'http://10.0.0.1',
    'http://127.0.0.1.example.com',
    'ftp://x',
    'x',
    'https://u:p@x',
    'https://x/?q',
  ] as const)('%s is refused', (value) => expect(() => parseBaseUrl(value)).toThrow(/base URL/));
});
