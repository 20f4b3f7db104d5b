import { readForm } from '../../../lambdas/token/token-form.ts';

const form = 'application/x-www-form-urlencoded';

const read = (body: string | Uint8Array, contentType: string | undefined = form) =>
  readForm({
    headers: { 'content-type': contentType },
    body: Buffer.from(body).toString('base64'),
    isBase64Encoded: true,
  });

const invalid = (error_description: string) =>
  expect.objectContaining({
    parts: expect.objectContaining({ body: { error: 'invalid_request', error_description } }),
  });

describe('a form', () => {
  const body = 'grant%5Ftype=a+b&scope=%C3%A4&x=1=2';

  test.for([
    ['base64', Buffer.from(body).toString('base64'), true],
    ['text', body, false],
  ] as const)('in %s has decoded names and values', ([, text, isBase64Encoded]) => {
    const parameters = { grant_type: 'a b', scope: 'ä', x: '1=2' };
    const event = { headers: { 'content-type': form }, body: text, isBase64Encoded };
    expect(Object.fromEntries(readForm(event))).toEqual(parameters);
  });

  test('may be absent', () => {
    expect(readForm({ headers: { 'content-type': form }, isBase64Encoded: false }).size).toBe(0);
  });

  test('omits a parameter without a value (RFC 6749 section 3.2)', () => {
    expect([...read('a=1&a=&scope=&x&x&y&y&=&&')]).toEqual([['a', '1']]);
  });

  test.for([
    ['grant_type=a&grant_type=a', 'grant_type'],
    ['client_id=a&client%5Fid=b', 'client_id'],
    ['client_secret=a&client_secret=b', 'client_secret'],
    ['scope=a&scope=b', 'scope'],
    // Only a known name is repeated in the response.
    ['x=1&x=2', 'A parameter'],
    ['x_scope=a&x_scope=b', 'A parameter'],
  ] as const)('%s has a parameter twice, and is rejected', ([text, name]) => {
    expect(() => read(text)).toThrow(invalid(`${name} is included more than once`));
  });

  test('may repeat resource (RFC 8707 section 2)', () => {
    expect(read('resource=https://a&resource=https://b').size).toBe(1);
  });

  test('may have 16 KiB', () => {
    expect(read('x='.padEnd(16 * 1024, 'y')).size).toBe(1);
  });

  test('of more than 16 KiB is rejected', () => {
    const larger = 'x='.padEnd(16 * 1024 + 1, 'y');
    expect(() => read(larger)).toThrow(invalid('The body must not exceed 16384 bytes'));
  });
});

describe('the content type', () => {
  // HTTP clients of several languages send another charset.
  const charsets = [
    '; charset=ISO-8859-1',
    ';charset=',
    '; charset="utf-8"x',
    '; charset=utf-8; charset=latin1',
  ];

  test.for([...charsets, ' ;  charset', '\t;', ' '])('may end in %j', (end) => {
    expect(read('a=1', ` ${form.toUpperCase()}${end}`).size).toBe(1);
  });

  test.for([`${form}-not`, '', `${form}, text/plain`, `x${form}`, `x; ${form}`])(
    '"%s" is rejected',
    (type) => {
      const description = 'The content type must be application/x-www-form-urlencoded';
      expect(() => read('a=1', type)).toThrow(invalid(description));
    },
  );

  test('must be there', () => {
    expect(() => readForm({ headers: {}, body: 'a=1', isBase64Encoded: false })).toThrow();
  });
});

test.for([
  ['bytes', Buffer.from([0x78, 0x3d, 0xff])],
  ['an encoded byte', 'x=%FF'],
  ['a percent sign that encodes nothing', 'x=%zz'],
  ['such a percent sign as a name', '%zz'],
  ['such a percent sign in a name', '%zz=x'],
] as const)('text that is not UTF-8 is rejected: %s', ([, body]) => {
  expect(() => read(body)).toThrow(invalid('The body must be percent-encoded UTF-8'));
});
