import { uploadFromItem } from '../../../../storage/upload.ts';
import { timelineOf } from '../../../../tools/operator/uploads/timeline.ts';
import { uploadIdOf, uploadItem } from '../../admin/items.ts';

/** Describes the events of an upload that was issued at 12:00. */
function told(changes: Readonly<Record<string, string>>, now = '2026-03-01T13:30:00.000Z') {
  const delete_after = { N: String(Date.parse('2026-04-01') / 1000) };
  const item = { ...uploadItem(0, changes), ...(changes.deleted_at && { delete_after }) };
  const moments = timelineOf(uploadFromItem(item), now);
  return moments.map(({ event, detail }) => (detail === undefined ? event : `${event}: ${detail}`));
}

const at = (time: string) => `2026-03-01T${time}:00.000Z`;
const sent = 'Bytes sent: 1.5 KiB (1,536 bytes) from an unknown address';

test.for<readonly [string, Readonly<Record<string, string>>, readonly string[]]>([
  ['issued', { state: 'issued', requested_from: 'a' }, ['URL issued: to a', 'URL expired']],
  ['completed', {}, ['URL issued', `${sent}, recorded and announced`]],
  [
    'completed, with the time of its event',
    { announced_at: at('12:01') },
    ['URL issued', `${sent}, recorded and announced`, `Announced: ${uploadIdOf(0)}.completed`],
  ],
  [
    'found unused',
    { state: 'issued', expired_at: at('13:10') },
    ['URL issued', 'URL expired', `Found unused, and announced: ${uploadIdOf(0)}.expired`],
  ],
  [
    'cancelled, and not announced',
    { state: 'cancelled', cancelled_at: at('12:10'), due_at: at('12:15'), due_shard: '0' },
    ['URL issued', 'URL cancelled: the event was not sent yet', 'URL expired'],
  ],
  [
    'cancelled, and announced',
    { state: 'cancelled', cancelled_at: at('12:10') },
    ['URL issued', 'URL cancelled: the event was sent', 'URL expired'],
  ],
  [
    'replaced',
    { superseded_at: at('13:00'), due_at: at('14:00'), due_shard: '0' },
    [
      'URL issued',
      `${sent}, recorded and announced`,
      'Replaced by newer content of the file',
      'Replaced content is deleted',
    ],
  ],
  [
    'sent after the file was deleted',
    {
      completed_at: at('12:30'),
      superseded_at: at('12:20'),
      deleted_at: at('12:20'),
      updated_at: at('12:20'),
      updated_by: 'ada',
    },
    [
      'URL issued',
      'Deleted with its file',
      'Updated by an operator: ada',
      `${sent}, not announced, because the file was deleted`,
      'The record may be removed from this time',
    ],
  ],
])('an upload that was %s', ([, changes, events]) => expect(told(changes)).toEqual(events));

test('a URL that still works expires later', () => {
  expect(told({ state: 'issued' }, at('12:59'))).toContain('URL expires');
  expect(told({ state: 'issued' }, at('13:00'))).toContain('URL expired');
});
