import { expect, test } from 'vitest';
import { decodeFormText, readForm } from '../../../lambdas/token/token-form.ts';

const form = 'application/x-www-form-urlencoded';

const read = (body: string | Uint8Array, contentType: string | undefined = form) =>
  readForm({
    headers: { 'content-type': contentType },
    body: Buffer.from(body).toString('base64'),
    isBase64Encoded: true,
  });

/** Forms that are not refused with this description. */
const notRefused = (
  forms: readonly (readonly [body: string | Uint8Array, type?: string])[],
  description: string,
) =>
  forms.filter(([body, type]) => {
    try {
      return read(body, type);
    } catch (error) {
      return (error as { body: { error_description: string } }).body.error_description !== description;
    }
  });

test('a form has each parameter once, with decoded names and values, whether its body is in base64 or not', () => {
  const body = 'grant%5Ftype=a+b&scope=%C3%A4&x=1=2';
  const expected = new Map([
    ['grant_type', 'a b'],
    ['scope', 'ä'],
    ['x', '1=2'],
  ]);
  expect(read(body)).toEqual(expected);
  expect(readForm({ headers: { 'content-type': form }, body, isBase64Encoded: false })).toEqual(expected);
  expect(readForm({ headers: { 'content-type': form }, isBase64Encoded: false })).toEqual(new Map());
});

test('a parameter without a value counts as omitted, and so is no repetition (RFC 6749 section 3.2)', () => {
  expect(read('a=1&a=&scope=&x&x&y&y&=&&')).toEqual(new Map([['a', '1']]));
});

test('a parameter that occurs twice is refused, and is named only if it is a known one', () => {
  for (const [body, name] of [
    ['grant_type=a&grant_type=a', 'grant_type'],
    ['client_id=a&client%5Fid=b', 'client_id'],
    ['client_secret=a&client_secret=b', 'client_secret'],
    ['scope=a&scope=b', 'scope'],
    ['x=1&x=2', 'A parameter'],
    ['x_scope=a&x_scope=b', 'A parameter'],
  ] as const) {
    expect(notRefused([[body]], `${name} is included more than once`)).toEqual([]);
  }
});

test('the content type is that of a form, in any case, and its only charset is UTF-8', () => {
  for (const type of ['; v=1', '; charset="utf-8"', ';charset=UTF-8', ' ;  charset=utf-8']) {
    expect(read('a=1', form.toUpperCase() + type).size, type).toBe(1);
  }
  const others = ['application/json', `${form}-not`, '', 'x', `${form}, text/plain`, `x${form}`];
  const charsets = [
    ...['latin1', 'utf-8x', 'utf-16; charset=utf-8', 'utf-8; charset=latin1', 'utf8', 'charset=utf-8'],
    ...['"utf-8"x', 'x"utf-8"', 'utf-8 latin1', ''],
  ];
  const types = [...others, ...charsets.map((charset) => `${form}; charset=${charset}`)];
  const forms = types.map((type) => ['a=1', type] as const);
  const description = 'The content type must be application/x-www-form-urlencoded in UTF-8';
  expect(notRefused(forms, description)).toEqual([]);
  expect(() => readForm({ headers: {}, body: 'a=1', isBase64Encoded: false })).toThrow();
});

test('bytes that are not UTF-8 are refused, raw or percent-encoded', () => {
  // Bytes that are not UTF-8, a surrogate, an overlong encoding, and a percent sign that encodes nothing.
  const encoded = ['x=%FF', 'x=%ED%A0%80', 'x=%C0%AF', 'x=%zz', '%zz', '%zz=x'].map(
    (body) => [body] as const,
  );
  const forms = [[Buffer.from([0x78, 0x3d, 0xff])] as const, ...encoded];
  expect(notRefused(forms, 'The body must be percent-encoded UTF-8')).toEqual([]);
  expect(decodeFormText('%E2%82%AC')).toBe('€');
});

test('a body of 16 KiB is read, and a larger one is refused', () => {
  expect(read('x='.padEnd(16 * 1024, 'y')).size).toBe(1);
  const larger = 'x='.padEnd(16 * 1024 + 1, 'y');
  expect(notRefused([[larger]], 'The body must not exceed 16384 bytes')).toEqual([]);
});
