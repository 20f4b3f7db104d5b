import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { clauses } from '../clauses.ts';
import { type SourceTest, testsInSource } from './source-tests.ts';

const root = fileURLToPath(new URL('../../../', import.meta.url));
const suite = 'test/contract/';

/** A test that holds rules, by its title in the source. */
export interface TestTitle extends Omit<SourceTest, 'title'> {
  /** From the project's root. */
  readonly file: string;
  /** Without the clauses in front. */
  readonly title: string;
  readonly clauseIds: readonly string[];
}

/** Every test of the suite, and every other test whose title names a clause, read from the sources. */
export async function findTests(): Promise<TestTitle[]> {
  const names = (await readdir(join(root, 'test'), { recursive: true })).toSorted();
  const files = names.filter((name) => name.endsWith('.test.ts')).map((name) => `test/${name}`);
  const found = await Promise.all(files.map(testsIn));
  return found.flat();
}

async function testsIn(file: string): Promise<TestTitle[]> {
  const source = await readFile(join(root, file), 'utf8');
  const isOfSuite = file.startsWith(suite) && !file.slice(suite.length).includes('/');
  // Only a few others name a clause; parsing all of them would take seconds.
  if (!isOfSuite && !/\(\s*['"`]\[\d+\.\d+\] /.test(source)) {
    return [];
  }
  const titles = testsInSource(file, source).map((test) => ({ ...test, file, ...split(test.title) }));
  return isOfSuite ? titles : titles.filter(({ clauseIds }) => clauseIds.length > 0);
}

function split(text: string): Pick<TestTitle, 'title' | 'clauseIds'> {
  const prefix = /^(?:\[\d+\.\d+\] )*/.exec(text)?.[0] ?? '';
  const clauseIds = [...prefix.matchAll(/\[([^\]]+)\]/g)].map((match) => match[1] ?? '');
  return { title: text.slice(prefix.length), clauseIds };
}

/** The table for people: every clause under its heading, with the tests that name it. */
export function renderConformance(tests: readonly TestTitle[]): string {
  const sections = Object.entries(clauses).map(([heading, rules]) => {
    const rows = rules.map(({ id, rule }) => `| ${id} | ${cell(rule)} | ${testsOf(id, tests)} |`);
    return [`## ${heading}`, '', '| Rule | In short | Tests |', '| --- | --- | --- |', ...rows, ''].join(
      '\n',
    );
  });
  return `${introduction}\n${sections.join('\n')}`;
}

const introduction = `# Conformance

This page lists the rules of [the API](../api.md) by their numbers, and the tests that check each of them over HTTP. A
file without a folder is in \`test/contract/\`, whose tests run against any deployment. They also check every answer that
they get: it matches the published API description, it has no CORS header, and an error is JSON. Of a test with several
cases, the page shows the first ones.

\`npm run generate\` makes this page from \`test/contract/clauses.ts\` and the titles of the tests. A test fails if the page
is stale, if a rule has no test, or if a test names no rule.
`;

function testsOf(id: string, tests: readonly TestTitle[]): string {
  return tests
    .filter(({ clauseIds }) => clauseIds.includes(id))
    .map(({ file, title, cases }) => `\`${file.replace(suite, '')}\`: ${cell(withCases(title, cases))}`)
    .join('<br>');
}

const shownCases = 2;

/** The title of each of the first cases, and how many more there are. */
export function withCases(title: string, cases: SourceTest['cases']): string {
  if (cases === undefined) {
    return title;
  }
  const shown = cases.slice(0, shownCases).map((values) => fill(title, values));
  const more = cases.length - shown.length;
  return shown.join('; ') + (more > 0 ? `; and ${more} more` : '');
}

/** Puts values in the place of `%s`, `%i` and `%j`, as the test runner does. */
function fill(title: string, values: readonly unknown[]): string {
  let index = 0;
  return title.replace(/%[sij]/g, (placeholder) => {
    const value = values[index++];
    if (value === undefined) {
      return '…';
    }
    return placeholder === '%j' ? JSON.stringify(value) : String(value);
  });
}

function cell(text: string): string {
  return text.replaceAll('|', '\\|').replaceAll('<', '&lt;').replaceAll('*', '\\*');
}
