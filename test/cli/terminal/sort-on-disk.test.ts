import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeEach, expect, test } from 'vitest';
import { inOrder } from '../../../cli/operations/newest-first.ts';
import { allOf } from '../../../cli/operations/pages.ts';
import { sortOnDisk } from '../../../cli/terminal/sort-on-disk.ts';

interface Entry {
  readonly number: number;
  readonly name: string;
}

let folder: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'file-sync-sort-test-'));
  return () => rm(folder, { recursive: true, force: true });
});

const byNumber = (a: Entry, b: Entry) => a.number - b.number;

/** Pages of 10 entries in no order, with characters that end a line elsewhere than in JSON. */
async function* pages(count: number, read: (page: number) => void = () => undefined) {
  for (let start = 0; start < count; start += 10) {
    read(start / 10);
    yield Array.from({ length: Math.min(10, count - start) }, (_, index) => ({
      number: ((start + index) * 7919) % count,
      name: 'a\u2028b\u2029c\nd注文',
    }));
  }
}

test.each([
  ['that fits in memory', 500, 8_000_000],
  ['of some runs', 500, 2000],
  ['of runs that are merged again and again', 5000, 500],
  ['of nothing', 0, 500],
])('a list %s is sorted and whole', async (_, count, maximumLength) => {
  const sort = sortOnDisk({ maximumLength, maximumRuns: 3, folder });
  const sorted = await allOf(sort(pages(count), byNumber));
  expect(sorted.map(({ number }) => number)).toEqual(Array.from({ length: count }, (_, index) => index));
  expect(new Set(sorted.map(({ name }) => name)).size).toBe(Math.min(count, 1));
  expect(await readdir(folder)).toEqual([]);
});

test('no file has a name meanwhile, so that none is left when the process is killed', async () => {
  const seen: string[] = [];
  const sort = sortOnDisk({ maximumLength: 500, maximumRuns: 3, folder });
  for await (const _ of sort(pages(500), byNumber)) {
    seen.push(...(await readdir(folder)));
  }
  expect(seen).toEqual([]);
});

test('a failure of a page is that of the sort', async () => {
  const sort = sortOnDisk({ maximumLength: 500, folder });
  const failing = pages(500, (page) => {
    if (page === 30) {
      throw new Error('no page');
    }
  });
  await expect(allOf(sort(failing, byNumber))).rejects.toThrow('no page');
});

test('for a limit nothing goes to disk, and for a great one it does', async () => {
  const sorts: string[] = [];
  const sort: ReturnType<typeof sortOnDisk> = (all, compare) => {
    sorts.push('sorted');
    return sortOnDisk({ maximumLength: 500, folder })(all, compare);
  };
  const first = (limit: number) => allOf(inOrder(pages(30_000), byNumber, { limit, sort }));
  expect((await first(3)).map(({ number }) => number)).toEqual([0, 1, 2]);
  expect(await first(10_000)).toHaveLength(10_000);
  expect(sorts).toEqual([]);
  const many = await first(10_001);
  expect(many.map(({ number }) => number)).toEqual(Array.from({ length: 10_001 }, (_, index) => index));
  expect(sorts).toEqual(['sorted']);
});
