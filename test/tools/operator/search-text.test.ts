import { notFound, searchTextOf } from '../../../tools/operator/search-text.ts';
import { uploadIdOf } from '../admin/items.ts';

const upload = uploadIdOf(7);

test.for([
  [' client_1\n', 'client_1'],
  ['"client_1"', 'client_1'],
  ["`it's`", "it's"],
  [`uploads/${upload}`, upload],
  [`/uploads/${upload}?X=1`, upload],
  [`s3://bucket/uploads/${upload}`, upload],
  [`http://127.0.0.1/bucket/uploads/${upload}#a`, upload],
  [`https://bucket.s3.eu-west-1.amazonaws.com/uploads/${upload}`, upload],
  [`uploads/${upload}/more`, `uploads/${upload}/more`],
  [`ftp://bucket/uploads/${upload}`, `ftp://bucket/uploads/${upload}`],
  ['uploads/other', 'uploads/other'],
] as const)('%j is a search for %s', ([entered, text]) => expect(searchTextOf(entered)).toBe(text));

describe('an unknown id', () => {
  test.for([
    ['client_unknown', { do: 'search', text: 'client_unknown' }],
    ['Nightly export', { do: 'search', text: 'Nightly export' }],
    ['JKJaXmPLvHcESHA', { do: 'search', text: 'JKJaXmPLvHcESHA' }],
    ['short=', { do: 'search', text: 'short=' }],
  ] as const)('%s leads on', ([id, step]) => {
    expect(notFound('client', id)).toMatchObject({
      kind: 'not found',
      message: `There is no client "${id}". It may be the id of something else, or a name.`,
      next: [step],
    });
  });

  test.for([
    ['', 'There is no file "".'],
    ['a\u001b', 'There is no file "a\u{fffd}".'],
    [`fss_${'a'.repeat(49)}`, 'There is no file "fss_(a client secret, not shown)".'],
  ] as const)('%j leads nowhere', ([id, message]) => {
    expect(notFound('file', id)).toMatchObject({ kind: 'not found', message, next: [] });
  });
});
