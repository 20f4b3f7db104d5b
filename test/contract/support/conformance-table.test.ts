import { expect, it } from 'vitest';
import { clauses } from '../clauses.ts';
import { findTests } from './conformance-table.ts';

/** The clauses and the tests say the same. These tests need no deployment. */

const ids = Object.values(clauses).flatMap((rules) => rules.map(({ id }) => id));

it('gives every clause an id of its own', () => {
  expect(ids.filter((id, index) => ids.indexOf(id) !== index)).toEqual([]);
});

it('has a test for every clause', async () => {
  const tested = new Set((await findTests()).flatMap(({ clauseIds }) => clauseIds));
  expect(ids.filter((id) => !tested.has(id))).toEqual([]);
});

it('names a clause that exists in every test', async () => {
  const tests = await findTests();
  expect(tests.length).toBeGreaterThan(100);
  expect(tests.filter(({ clauseIds }) => clauseIds.length === 0)).toEqual([]);
  expect(tests.filter(({ clauseIds }) => !clauseIds.every((id) => ids.includes(id)))).toEqual([]);
});

it('gives every test of a file a title of its own', async () => {
  const titles = (await findTests()).map(({ file, title }) => `${file}: ${title}`);
  expect(titles.filter((title, index) => titles.indexOf(title) !== index)).toEqual([]);
});
