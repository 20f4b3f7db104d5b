import * as v from 'valibot';
import { daysAfter, numberAttribute, timestamp, timeToLive } from '../../storage/attributes.ts';
import { timeToLiveName } from '../../storage/table.ts';

test.for([{ N: 'x1' }, { N: '1x' }, { N: '1.5' }, { N: '1e3' }, { N: '' }, { S: '1' }])(
  'the attribute %j is no number',
  (attribute) => expect(v.is(numberAttribute, attribute)).toBe(false),
);

test('a stored time is in UTC with milliseconds, so that times sort as text', () => {
  expect(timestamp(new Date(Date.UTC(2026, 0, 31, 9)))).toBe('2026-01-31T09:00:00.000Z');
});

test('a time to live is in seconds, rounded up so that nothing goes early', () => {
  expect(timeToLiveName).toBe('delete_after');
  expect(timeToLive('2026-01-31T09:00:00.000Z')).toEqual({ N: '1769850000' });
  expect(timeToLive('2026-01-31T09:00:00.001Z')).toEqual({ N: '1769850001' });
  expect(daysAfter('2026-01-31T09:00:00.123Z', 30)).toBe('2026-03-02T09:00:00.123Z');
});
