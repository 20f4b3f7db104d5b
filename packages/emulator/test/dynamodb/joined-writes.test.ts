import type { Database, Done } from 'dynalite/db/index.js';
import { expect, it } from 'vitest';
import { joinWrites } from '../../dynamodb/joined-writes.ts';

it('an item and its indexes are one change', () => {
  const batches: unknown[] = [];
  const db = {
    status: 'open',
    getSync: () => undefined,
    batch: (changes: unknown, done?: Done) => {
      batches.push(changes);
      done?.(null);
    },
  } as unknown as Database;
  joinWrites(db);
  const answered: string[] = [];
  db.del('index-global~files~by-time~old', () => answered.push('old index'));
  db.put('index-global~files~by-time~new', { id: 1 }, () => answered.push('new index'));
  expect([answered, batches]).toEqual([['old index', 'new index'], []]);
  db.put('item-files~1', { id: 1, name: 'orders' }, () => answered.push('item'));
  expect(answered).toContain('item');
  expect(batches).toEqual([
    [
      { type: 'del', key: 'index-global~files~by-time~old' },
      { type: 'put', key: 'index-global~files~by-time~new', value: { id: 1 } },
      { type: 'put', key: 'item-files~1', value: { id: 1, name: 'orders' } },
    ],
  ]);
});
