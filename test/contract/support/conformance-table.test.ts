import { readFile } from 'node:fs/promises';
import { findTests, readClauses } from './conformance-table.ts';

/** docs/api.md and the tests name the same rules. These tests run without a deployment. */

const ids = [...(await readClauses()).values()].flat();
const tests = await findTests();

test('has a test for every rule of docs/api.md', () => {
  const tested = new Set(tests.flatMap(({ clauseIds }) => clauseIds));
  expect(ids.filter((id) => !tested.has(id))).toEqual([]);
});

test('numbers each rule of docs/api.md once', () => {
  expect(ids.length).toBeGreaterThan(100);
  expect(new Set(ids).size).toBe(ids.length);
});

test('names rules that exist in every test', () => {
  expect(tests.length).toBeGreaterThan(80);
  expect(
    tests.filter(({ clauseIds }) => clauseIds.length === 0 || !clauseIds.every((id) => ids.includes(id))),
  ).toEqual([]);
});

test('finds no title in the suite that is computed', async () => {
  const files = new Set(tests.map(({ file }) => file).filter((file) => /^test\/contract\/[^/]+$/.test(file)));
  const sources = await Promise.all(
    [...files].map((file) => readFile(new URL(`../../../${file}`, import.meta.url), 'utf8')),
  );
  expect(
    sources.flatMap((source) => source.match(/^ *(?:it|test\.each)\(|^ *test\(\s*`|^ *.*\)\(\s*`/gm) ?? []),
  ).toEqual([]);
});
