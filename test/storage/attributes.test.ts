import * as v from 'valibot';
import { expect, test } from 'vitest';
import {
  booleanAttribute,
  daysAfter,
  numberAttribute,
  selectAttributes,
  textAttribute,
  textAttributes,
  timeAttribute,
  timestamp,
  timeToLive,
} from '../../storage/attributes.ts';
import { timeToLiveName } from '../../storage/table.ts';

test('attributes of another type or form are refused', () => {
  const numbers = [{ N: 'x1' }, { N: '1x' }, { N: '1.5' }, { N: '1e3' }, { N: '' }, { S: '1' }];
  expect(numbers.filter((number) => v.is(numberAttribute, number))).toEqual([]);
  expect(v.is(textAttribute, { N: '1' })).toBe(false);
  expect(v.is(booleanAttribute, { BOOL: 'true' })).toBe(false);
  expect(v.is(timeAttribute, { S: 'now' })).toBe(false);
});

test('an attribute without a value is absent, never null', () => {
  expect(textAttributes({ name: 'Acme', revoked_at: undefined })).toStrictEqual({ name: { S: 'Acme' } });
});

test('attributes are read by placeholders, because DynamoDB reserves some names', () => {
  const { projection } = selectAttributes('thing', { name: textAttribute, status: textAttribute });
  expect(projection).toEqual({
    ProjectionExpression: '#name, #status',
    ExpressionAttributeNames: { '#name': 'name', '#status': 'status' },
  });
});

test('a stored time is in UTC with milliseconds, so that times sort as text', () => {
  expect(timestamp(new Date(Date.UTC(2026, 0, 31, 9)))).toBe('2026-01-31T09:00:00.000Z');
});

test('a time to live is in seconds, rounded up so that nothing goes early', () => {
  expect(timeToLiveName).toBe('delete_after');
  expect(timeToLive('2026-01-31T09:00:00.000Z')).toEqual({ N: '1769850000' });
  expect(timeToLive('2026-01-31T09:00:00.001Z')).toEqual({ N: '1769850001' });
  expect(daysAfter('2026-01-31T09:00:00.123Z', 30)).toBe('2026-03-02T09:00:00.123Z');
});
