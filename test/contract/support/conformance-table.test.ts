import { readFile } from 'node:fs/promises';
import { expect, it } from 'vitest';
import { findTests, readClauses, titlesIn } from './conformance-table.ts';

/** docs/api.md and the tests name the same rules. These tests need no deployment. */

const sections = await readClauses();
const ids = [...sections.values()].flat().map(({ id }) => id);
const tests = await findTests();

it('has a test for every rule of docs/api.md, and each rule has a number of its own', () => {
  const tested = new Set(tests.flatMap(({ clauseIds }) => clauseIds));
  expect(ids.filter((id) => !tested.has(id))).toEqual([]);
  expect(ids.length).toBeGreaterThan(100);
  expect(new Set(ids).size).toBe(ids.length);
});

it('has a section for each endpoint of docs/api.md that requires a scope, with a rule that says so', async () => {
  const page = await readFile(new URL('../../../docs/api.md', import.meta.url), 'utf8');
  const rows = page.matchAll(/^\| `([A-Z]+ \/\S*)` \|.*\| Scope (`\S+`) \|$/gm);
  const endpoints = Array.from(rows, ([, endpoint, scope]) => `${endpoint}: It requires the scope ${scope}`);
  const said = Array.from(sections, ([heading, rules]) =>
    rules.map(({ rule }) => `${heading.replace(/^\d+\. /, '')}: ${rule}`),
  ).flat();
  expect(endpoints.length).toBeGreaterThan(1);
  expect(endpoints.filter((endpoint) => !said.includes(endpoint))).toEqual([]);
});

it('names rules that exist in every test, under a title of its own', () => {
  expect(tests.length).toBeGreaterThan(80);
  expect(
    tests.filter(({ clauseIds }) => clauseIds.length === 0 || !clauseIds.every((id) => ids.includes(id))),
  ).toEqual([]);
  const titles = tests.map(({ file, title }) => `${file}: ${title}`);
  expect(titles.filter((title, index) => titles.indexOf(title) !== index)).toEqual([]);
});

it('reads every test of the suite: none has a title that is computed, nor cases with titles of their own', async () => {
  expect(titlesIn("test('a', f);\n  test(\n    \"b's\",\n    f,\n  );\n// test('c'")).toEqual(['a', "b's"]);
  const files = new Set(tests.map(({ file }) => file).filter((file) => /^test\/contract\/[^/]+$/.test(file)));
  const sources = await Promise.all(
    [...files].map((file) => readFile(new URL(`../../../${file}`, import.meta.url), 'utf8')),
  );
  expect(
    sources.flatMap((source) => source.match(/^ *(?:test|it)\.(?:for|each)\(|^ *test\(\s*`/gm) ?? []),
  ).toEqual([]);
});
