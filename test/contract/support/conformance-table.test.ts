import { readFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { clauses } from '../clauses.ts';
import { findTests, renderConformance, withCases } from './conformance-table.ts';
import { testsInSource } from './source-tests.ts';

/** docs/api.md, the clauses and the tests say the same. These tests need no deployment. */

const ids = Object.values(clauses).flatMap((rules) => rules.map(({ id }) => id));

const page = await readFile(new URL('../../../docs/api.md', import.meta.url), 'utf8');

/** Sections of rules, with their numbers in the order of the page. */
const sections = [...page.matchAll(/^## (\d+\. .+)\n([\s\S]*?)(?=^## )/gm)].map(
  ([, heading = '', text = '']) => ({
    heading,
    numbers: [...text.matchAll(/^- \*\*(\d+\.\d+)\*\* /gm)].map((match) => match[1] ?? ''),
  }),
);

it('gives every clause an id of its own', () => {
  expect(ids.filter((id, index) => ids.indexOf(id) !== index)).toEqual([]);
});

it('has the headings and numbers of docs/api.md, each of them and no others', () => {
  const ofClauses = Object.entries(clauses).map(([heading, rules]) => ({
    heading,
    numbers: rules.map(({ id }) => id),
  }));
  expect(sections).toEqual(ofClauses);
  expect(sections.flatMap(({ numbers }) => numbers).length).toBeGreaterThan(100);
});

it('numbers each rule of docs/api.md within its section, in order', () => {
  for (const { heading, numbers } of sections) {
    const [section, lasts] = [heading.split('.')[0], numbers.map((number) => Number(number.split('.')[1]))];
    expect(numbers).toEqual(lasts.map((last) => `${section}.${last}`));
    expect(lasts).toEqual(lasts.toSorted((left, right) => left - right));
  }
});

it('refers in docs/api.md only to rules that exist', () => {
  const withoutExamples = page.replaceAll(/^```[\s\S]*?^```/gm, '');
  const named = [
    ...withoutExamples.matchAll(
      /(?:\(|, |\| |and |as |on |of |than |\band\b |: )(\d{1,2}\.\d{1,2})(?=[ ,.):|]|$)/gm,
    ),
  ];
  const numbers = named.map((match) => match[1] ?? '').filter((number) => !/^(1\.0|3\.1)$/.test(number));
  expect(numbers.length).toBeGreaterThan(20);
  expect(numbers.filter((number) => !ids.includes(number))).toEqual([]);
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

it('shows no placeholder of a title', async () => {
  expect(renderConformance(await findTests())).not.toMatch(/%[a-z]/);
});

describe('the cases of a test', () => {
  const casesOf = (source: string) => testsInSource('a.test.ts', source)[0]?.cases;

  it('are read from a table, whatever is in its rows', () => {
    expect(casesOf("test.for([['a', 1], ['b', f()]] as const)('%s', () => {});")).toEqual([
      ['a', 1],
      ['b', undefined],
    ]);
  });

  it('are read from a list, and through constants', () => {
    expect(casesOf("const n = 2 * 8; const list = ['a', n + 1]; test.for(list)('%s', f);")).toEqual([
      ['a'],
      [17],
    ]);
  });

  it('are not known where they are computed', () => {
    expect(casesOf("test.for(make())('%s', f);")).toEqual([[]]);
    expect(casesOf("test('title', f);")).toBeUndefined();
  });

  it('are shown with their values, the first of them', () => {
    expect(withCases('takes %s', [['a']])).toBe('takes a');
    expect(withCases('takes %j', [['a'], [1], [2], [3]])).toBe('takes "a"; takes 1; and 2 more');
    expect(withCases('takes %s', [[]])).toBe('takes …');
    expect(withCases('takes all', undefined)).toBe('takes all');
  });
});
