import {
  parseDuration,
  parseLimit,
  parseName,
  parseNewIdentifier,
  parseScopes,
  parseTime,
} from '../../../tools/operator/parse-input.ts';

test.for(['', '.', '..', 'a/b', 'x'.repeat(129)])('%j is no id of a file', (id) => {
  expect(() => parseNewIdentifier(id, 'file')).toThrow('cannot be the id of the file: use 1 to 128');
});

describe('a name', () => {
  test.for(['ab 注文', '😀'.repeat(200), '👩‍👩‍👧', '❤\ufe0f'])('may be %s', (name) => {
    expect(parseName(name)).toBe(name);
  });

  test.for([
    ['  ', /this one has 2\.$/],
    ['\u200d\ufe0f', /not only spaces/],
    ['a'.repeat(201), /this one has 201\.$/],
    ['a\nb', /control characters or invisible/],
    ...['\u200b', '\ufeff', '\u3164', '\u{e0041}', '\u2800', '\u200d', '\ufe0f', ' \ufe0f'].map(
      (invisible) => [`a${invisible}b`, /invisible/] as const,
    ),
  ] as const)('may not be %j', ([name, reason]) => expect(() => parseName(name)).toThrow(reason));
});

test('scopes are in the order of the contract, each once', () => {
  const given = ['sync:create', 'volume:read', 'sync:create'];
  expect(parseScopes(given)).toEqual(['volume:read', 'sync:create']);
});

describe('a length of time', () => {
  test.for([
    ['0s', 0],
    ['2m', 120],
    ['3h', 10_800],
    ['365d', 31_536_000],
  ] as const)('%s is %i seconds', ([text, seconds]) => expect(parseDuration(text)).toBe(seconds));

  test.for(['', '7', '366d', '1.5h', '7w', 'x7d', '7dd'])('is not %j', (text) => {
    expect(() => parseDuration(text)).toThrow(`"${text}" is not a duration`);
  });

  test('is not below the minimum', () => {
    expect(parseDuration('1s', 1)).toBe(1);
    expect(() => parseDuration('0d', 1)).toThrow('is not a duration from 1s to 365d');
  });
});

describe('a time', () => {
  const parse = (text: string) => parseTime(text, '--since')(Date.parse('2026-03-01T12:00:00Z'));

  test.for([
    ['2026-01-31', '2026-01-31T00:00:00.000Z'],
    ['2026-01-31T09:00', '2026-01-31T09:00:00.000Z'],
    ['2026-01-31T09:00:01.5Z', '2026-01-31T09:00:01.500Z'],
    ['2026-01-31T09:00+02:00', '2026-01-31T07:00:00.000Z'],
    ['1970-01-01', '1970-01-01T00:00:00.000Z'],
    ['2h', '2026-03-01T10:00:00.000Z'],
  ] as const)('%s is %s', ([text, time]) => expect(parse(text)).toBe(time));

  test.for(['yesterday', '1969-12-31', '99999999d', ' 2026-01-31', '2026-01-31x'])('is not %j', (text) =>
    expect(() => parse(text)).toThrow(`"${text}" is not a time for --since`),
  );
});

describe('a limit', () => {
  test.for(['1', '999999999'])('may be %s', (text) => expect(parseLimit(text)).toBe(Number(text)));

  test.for(['0', '01', '1e3', '-1', '1000000000', '1 '])('may not be %j', (text) => {
    expect(() => parseLimit(text)).toThrow(
      `"${text}" is not a limit: use a whole number from 1 to 999999999.`,
    );
  });
});
