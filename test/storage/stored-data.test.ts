import * as v from 'valibot';
import { describe, expect, test } from 'vitest';
import { textAttribute, timeAttribute, timestamp } from '../../storage/attributes.ts';
import { parseStored, StoredDataError } from '../../storage/stored-data.ts';

const schema = v.object({ name: textAttribute, ends_at: timeAttribute });

function refusalOf(data: unknown): unknown {
  try {
    return parseStored('thing', schema, data);
  } catch (error) {
    return error;
  }
}

describe('stored data that is not as documented', () => {
  test('is refused by a name of its own, with every place and no value', () => {
    const refusal = refusalOf({ name: { N: 'hush' }, ends_at: { S: 'hush' } });
    expect(refusal).toBeInstanceOf(StoredDataError);
    expect(refusal).toMatchObject({
      name: 'StoredDataError',
      message: 'The stored thing is not as expected at: name.S, ends_at',
    });
  });

  test.each([undefined, null, 'hush', 5])('as a whole is refused, too: %j', (data) => {
    expect(refusalOf(data)).toMatchObject({
      name: 'StoredDataError',
      message: 'The stored thing is not as expected at: (whole)',
    });
  });
});

describe('a stored time', () => {
  test('is in UTC with milliseconds, so that times sort as text', () => {
    expect(timestamp(new Date(Date.UTC(2026, 0, 31, 9)))).toBe('2026-01-31T09:00:00.000Z');
  });
});
