import { expect, test } from 'vitest';
import { Sentence, shortId, Time } from '../../../../tools/console/components/text.tsx';
import { missingIn } from '../support/read-page.ts';
import { render } from '../support/render.ts';

const of = '2026-01-31T12:00:05.678Z';
const inTokyo = { clock: { zone: 'Asia/Tokyo', exact: () => '2026-01-31 21:00:05' } };

test.for([
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
