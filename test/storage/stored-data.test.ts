import * as v from 'valibot';
import { textAttribute, timeAttribute } from '../../storage/attributes.ts';
import { parseStored, StoredDataError } from '../../storage/stored-data.ts';

const parse = (data: unknown) =>
  parseStored('thing', v.object({ name: textAttribute, ends_at: timeAttribute }), data);

test('stored data is rejected with every wrong place, and no value', () => {
  expect(() => parse({ name: { N: 'hush' }, ends_at: { S: 'hush' } })).toThrow(
    new StoredDataError('The stored thing is not as expected at: name.S, ends_at'),
  );
});

test.for([undefined, null, 'hush', 5])('stored data is not %j', (data) => {
  expect(() => parse(data)).toThrow(new StoredDataError('The stored thing is not as expected at: (whole)'));
});
