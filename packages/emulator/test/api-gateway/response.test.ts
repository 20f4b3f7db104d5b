import { toResponse } from '../../api-gateway/response.ts';

test('a response contains status, lower-case headers and bytes', () => {
  expect(toResponse({ statusCode: 599, headers: { 'X-One': 'a' }, body: 'ä' })).toEqual({
    status: 599,
    headers: { 'content-type': 'text/plain; charset=utf-8', 'x-one': 'a' },
    body: Buffer.from('ä'),
  });
  expect(toResponse({ statusCode: 200 })?.body).toEqual(Buffer.alloc(0));
});

test.for<[string, unknown]>([
  ['nothing', null],
  ['no status', { body: '' }],
  ['a status that is a text', { statusCode: '200' }],
  ['a status that is too small', { statusCode: 199 }],
  ['a status that is too large', { statusCode: 600 }],
  ['a body that is not text', { statusCode: 200, body: { a: 1 } }],
  ['an encoding that is not a flag', { statusCode: 200, isBase64Encoded: 'no' }],
  ['a header with several values', { statusCode: 200, headers: { a: ['b'] } }],
  ['a header without a name', { statusCode: 200, headers: { '': 'b' } }],
  ['a header with a space in its name', { statusCode: 200, headers: { 'a b': 'c' } }],
  ['a header with a line break', { statusCode: 200, headers: { a: 'b\n' } }],
  ['cookies, which are not supported', { statusCode: 200, cookies: ['a=1'] }],
])('%s is not a response', ([, payload]) => {
  expect(toResponse(payload)).toBeUndefined();
});
