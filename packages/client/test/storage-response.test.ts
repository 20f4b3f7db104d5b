import { checkStored, compareEtag } from '../storage.ts';

const responseOf = (status: number, body = '', headers = {}) => ({
  status,
  body,
  headers,
  requestId: undefined,
});
const check = (status: number, body: string) => () => checkStored(responseOf(status, body));

test.for([
  [403, '<Message>Request has expired</Message>', 'The upload URL has expired.'],
  [400, '<Code>ExpiredToken</Code>', 'The upload URL has expired.'],
  [400, '<Code>RequestTimeout</Code>', 'The storage responded with 400 RequestTimeout.'],
  [
    409,
    '<Code>ConditionalRequestConflict</Code>',
    'The storage responded with 409 ConditionalRequestConflict.',
  ],
  [429, '', 'The storage responded with 429 without a code.'],
  [500, '<Code>InternalError</Code>', 'The storage responded with 500 InternalError.'],
] as const)('%i %s of the storage may pass by itself', ([status, body, retry]) => {
  expect(check(status, body)).toThrow(expect.objectContaining({ code: 'unavailable', message: retry }));
});

test.for([
  [
    412,
    '<Code>PreconditionFailed</Code>',
    'upload_url_used',
    /was already used, .* Upload the file again to use a new upload URL\.$/,
  ],
  [
    501,
    '<Code>NotImplemented</Code><Message>Not now</Message><Header>Transfer-Encoding</Header>',
    'rejected',
    /^The storage rejected the file with 501 NotImplemented\. Not now\.$/,
  ],
  [
    400,
    '<Code>EntityTooLarge</Code>',
    'source_too_large',
    /^The storage rejected the file with 400 EntityTooLarge\.$/,
  ],
  [
    403,
    '<Code>AccessDenied</Code><Message>No\u001b</Message>',
    'rejected',
    /^The .* with 403 AccessDenied\. No\ufffd\.$/,
  ],
  [403, 'Request has ended', 'rejected', /with 403 without a code\.$/],
  [400, '<Code>Request has expired</Code>', 'rejected', /with 400 Request has expired\.$/],
  [403, '<Code>ExpiredToken</Code>', 'rejected', /with 403 ExpiredToken\.$/],
  [199, '', 'rejected', /with 199 without a code\.$/],
  [300, '', 'rejected', /with 300 without a code\.$/],
] as const)('%i %s of the storage is final', ([status, body, reason, message]) => {
  expect(check(status, body)).toThrow(
    expect.objectContaining({ code: reason, message: expect.stringMatching(message) }),
  );
});

const md5 = '0'.repeat(32);

test.for<[string, Record<string, string>]>([
  ['a response without one', {}],
  ['an object under a key of KMS', { etag: `"${md5}"`, 'x-amz-server-side-encryption': 'aws:kms' }],
  ['an upload in parts', { etag: `"${md5}-2"` }],
  ['another storage', { etag: `"W/${md5}"` }],
])('the ETag of %s proves nothing', ([, headers]) => {
  expect(compareEtag('1', responseOf(200, '', headers))).toMatchObject({ verified: false });
});
