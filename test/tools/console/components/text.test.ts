import { describe, expect, test } from 'vitest';
import { Bytes, Id, Sentence, shortId, Time } from '../../../../tools/console/components/text.tsx';
import { render } from '../support/render.ts';

const at = '2026-01-31T12:00:05.678Z';
const inTokyo = { clock: { zone: 'Asia/Tokyo', exact: () => '2026-01-31 21:00:05' } };

describe('a time', () => {
  test.for([
    [
      'is in UTC',
      { of: at, exact: true },
      {},
      'title="2026-01-31 12:00:05 UTC"',
      '>2026-01-31 12:00:05 UTC<',
    ],
    [
      'is in the chosen zone, and in UTC',
      { of: at, exact: true },
      inTokyo,
      'title="2026-01-31 21:00:05 Asia/Tokyo, 2026-01-31 12:00:05 UTC"',
      '>2026-01-31 21:00:05 Asia/Tokyo<',
    ],
    [
      'is followed by how long ago it was',
      { of: at, exact: true },
      inTokyo,
      'data-ago="2026-01-31 21:00:05 Asia/Tokyo, "',
      `datetime="${at}"`,
    ],
    [
      'in a list is short, until the script replaces it',
      { of: at },
      inTokyo,
      'data-ago=""',
      '>2026-01-31 21:00<',
    ],
  ] as const)('%s', ([, props, facts, title, shown]) => {
    const html = render(Time, props, facts);
    expect(html).toContain(title);
    expect(html).toContain(shown);
  });

  test('in a sentence is shown like all other times', () => {
    const html = render(Sentence, { of: `Until ${at}, or 2026-01-31T12:00:05Z.` }, inTokyo);
    expect(html.replaceAll(/<[^>]*>/g, '')).toBe(
      'Until 2026-01-31 21:00:05 Asia/Tokyo, or 2026-01-31 21:00:05 Asia/Tokyo.',
    );
  });
});

describe('an id', () => {
  test.for([
    ['client_01a2b3c4d5e6c595', '01a2…c595'],
    ['secret_01a2b3c4d5e6f7', 'secret_01a2b3c4d5e6f7'],
    ['my_client_01a2b3', 'my_c…a2b3'],
  ] as const)('%s is shortened to its two ends only when it is long: %s', ([id, short]) => {
    expect(shortId(id)).toBe(short);
  });

  test('that is shortened can be read in its title, and is copied as a whole', () => {
    const html = render(Id, { of: 'file_0123456789abcdef', short: true, copy: true });
    expect(html).toContain('<code title="file_0123456789abcdef">0123…cdef</code>');
    expect(html).toContain('data-copy="file_0123456789abcdef" aria-label="Copy file_0123456789abcdef"');
  });

  test('is whole, without title and button, where nothing else is asked for', () => {
    expect(render(Id, { of: 'file_0123456789abcdef' })).toBe(
      '<span><code>file_0123456789abcdef</code></span>',
    );
  });
});

test.for([
  [true, '<span title="1.5 KiB (1536 bytes)">1.5 KiB</span>'],
  [false, '<span>1.5 KiB (1536 bytes)</span>'],
] as const)('a size that is short (%s) has the exact number: %s', ([short, expected]) => {
  expect(render(Bytes, { of: 1536, short })).toBe(expected);
});
