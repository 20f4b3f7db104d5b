import { readFile } from 'node:fs/promises';
import { expect, it } from 'vitest';
import { clauses } from '../clauses.ts';
import { findTests, titlesIn } from './conformance-table.ts';

/** docs/api.md, the clauses and the tests say the same. These tests need no deployment. */

const ids = Object.values(clauses).flatMap((rules) => rules.map(({ id }) => id));

it('has the headings and numbers of docs/api.md, in order, each of them once', async () => {
  const page = await readFile(new URL('../../../docs/api.md', import.meta.url), 'utf8');
  const sections = [...page.matchAll(/^## (\d+\. .+)\n([\s\S]*?)(?=^## )/gm)].map(
    ([, heading = '', text = '']) => [
      heading,
      [...text.matchAll(/^- \*\*(\d+\.\d+)\*\* /gm)].map((match) => match[1]),
    ],
  );
  expect(Object.entries(clauses).map(([heading, rules]) => [heading, rules.map(({ id }) => id)])).toEqual(
    sections,
  );
  expect(ids.length).toBeGreaterThan(100);
  expect(new Set(ids).size).toBe(ids.length);
});

it('has a test for every clause', async () => {
  const tested = new Set((await findTests()).flatMap(({ clauseIds }) => clauseIds));
  expect(ids.filter((id) => !tested.has(id))).toEqual([]);
});

it('names clauses that exist in every test, under a title of its own', async () => {
  const tests = await findTests();
  expect(tests.length).toBeGreaterThan(80);
  expect(tests.filter(({ clauseIds }) => clauseIds.length === 0)).toEqual([]);
  expect(tests.filter(({ clauseIds }) => !clauseIds.every((id) => ids.includes(id)))).toEqual([]);
  const titles = tests.map(({ file, title }) => `${file}: ${title}`);
  expect(titles.filter((title, index) => titles.indexOf(title) !== index)).toEqual([]);
});

it('reads every test of the suite: none has a title that is computed, nor cases with titles of their own', async () => {
  expect(titlesIn("test('a', f);\n  test(\n    \"b's\",\n    f,\n  );\n// test('c'")).toEqual(['a', "b's"]);
  const files = [...new Set((await findTests()).map(({ file }) => file))];
  const sources = await Promise.all(
    files.map((file) => readFile(new URL(`../../../${file}`, import.meta.url), 'utf8')),
  );
  const calls = sources.filter((_, index) => /^test\/contract\/[^/]+$/.test(files[index] ?? ''));
  expect(
    calls.flatMap((source) => source.match(/^ *(?:test|it)\.(?:for|each)\(|^ *test\(\s*`/gm) ?? []),
  ).toEqual([]);
});
