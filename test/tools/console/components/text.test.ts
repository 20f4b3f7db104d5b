import { expect, test } from 'vitest';
import { Bytes, Id, Sentence, shortId, Time } from '../../../../tools/console/components/text.tsx';
import { missingIn } from '../support/read-page.ts';
import { render } from '../support/render.ts';

const of = '2026-01-31T12:00:05.678Z';
const inTokyo = { clock: { zone: 'Asia/Tokyo', exact: () => '2026-01-31 21:00:05' } };
const file = 'file_0123456789abcdef';

test.for([
  [
    'a time is in UTC',
    render(Time, { of, exact: true }),
    'title="2026-01-31 12:00:05 UTC"',
    '>2026-01-31 12:00:05 UTC<',
  ],
  [
    'a time is in the chosen zone, and in its title also in UTC',
    render(Time, { of, exact: true }, inTokyo),
    'title="2026-01-31 21:00:05 Asia/Tokyo, 2026-01-31 12:00:05 UTC"',
    'data-ago="2026-01-31 21:00:05 Asia/Tokyo, ">2026-01-31 21:00:05 Asia/Tokyo<',
  ],
  ['a time in a list is short', render(Time, { of }, inTokyo), 'data-ago="">2026-01-31 21:00<'],
  [
    'a time in a sentence is shown like all other times',
    render(Sentence, { of: `Until ${of}, or 2026-01-31T12:00:05Z.` }, inTokyo),
    'Until 2026-01-31 21:00:05 Asia/Tokyo, or 2026-01-31 21:00:05 Asia/Tokyo.',
  ],
  [
    'an id that is shortened is whole in its title and when it is copied',
    render(Id, { of: file, short: true, copy: true }),
    `<code title="${file}">0123…cdef</code>`,
    `data-copy="${file}" aria-label="Copy ${file}"`,
  ],
  ['an id is whole by itself', render(Id, { of: file }), `<span><code>${file}</code></span>`],
  [
    'a short size has the exact number in its title',
    render(Bytes, { of: 1536, short: true }),
    '<span title="1.5 KiB (1536 bytes)">1.5 KiB</span>',
  ],
  ['a size has the exact number', render(Bytes, { of: 1536 }), '<span>1.5 KiB (1536 bytes)</span>'],
] as const)('%s', ([, html, ...parts]) => {
  expect(missingIn(html, parts)).toEqual([]);
});

test.for([
  ['client_01a2b3c4d5e6c595', '01a2…c595'],
  ['secret_01a2b3c4d5e6f7', 'secret_01a2b3c4d5e6f7'],
  ['my_client_01a2b3', 'my_c…a2b3'],
] as const)('the id %s is shortened to its ends only when it is long: %s', ([id, short]) => {
  expect(shortId(id)).toBe(short);
});
