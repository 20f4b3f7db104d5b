import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';
import { clauses } from '../clauses.ts';

const folder = fileURLToPath(new URL('../', import.meta.url));

/** A test of the suite, by its title in the source. */
export interface TestTitle {
  /** File name within the suite. */
  readonly file: string;
  /** Without the clauses in front. */
  readonly title: string;
  readonly clauseIds: readonly string[];
}

/** Every test of the suite, read from the sources: by `test(...)` and `test.for(...)(...)`. */
export async function findTests(): Promise<TestTitle[]> {
  const files = (await readdir(folder)).filter((name) => name.endsWith('.test.ts')).sort();
  const found = await Promise.all(
    files.map(async (file) => titlesIn(await readFile(join(folder, file), 'utf8'), file)),
  );
  return found.flat();
}

function titlesIn(source: string, file: string): TestTitle[] {
  const titles: TestTitle[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isCallExpression(node) && isTest(node.expression)) {
      const [title] = node.arguments;
      if (title !== undefined && ts.isStringLiteralLike(title)) {
        titles.push({ file, ...split(title.text) });
      }
    }
    ts.forEachChild(node, visit);
  };
  visit(ts.createSourceFile(file, source, ts.ScriptTarget.Latest));
  return titles;
}

/** `test`, or what `test.for(...)` gives. */
function isTest(callee: ts.Expression): boolean {
  if (ts.isIdentifier(callee)) {
    return callee.text === 'test';
  }
  return (
    ts.isCallExpression(callee) &&
    ts.isPropertyAccessExpression(callee.expression) &&
    isTest(callee.expression.expression)
  );
}

function split(text: string): Pick<TestTitle, 'title' | 'clauseIds'> {
  const prefix = /^(?:\[[^\]]+\] )*/.exec(text)?.[0] ?? '';
  const clauseIds = [...prefix.matchAll(/\[([^\]]+)\]/g)].map((match) => match[1] ?? '');
  return { title: text.slice(prefix.length), clauseIds };
}

/** The table for people: every clause under its heading, with the tests that name it. */
export function renderConformance(tests: readonly TestTitle[]): string {
  const sections = Object.entries(clauses).map(([heading, rules]) => {
    const rows = rules.map(({ id, rule }) => `| \`${id}\` | ${cell(rule)} | ${testsOf(id, tests)} |`);
    return [`## ${heading}`, '', '| Clause | Rule | Tests |', '| --- | --- | --- |', ...rows, ''].join('\n');
  });
  return `${introduction}\n${sections.join('\n')}`;
}

const introduction = `# Conformance

This page lists the clauses of the contract, and the tests in \`test/contract/\` that check each of them. The tests use
HTTP only and run against any deployment. They also check every answer that they get: it matches the published API
description, it has no CORS header, and an error is JSON.

\`npm run generate\` makes this page from \`test/contract/clauses.ts\` and the titles of the tests. A test fails if the page
is stale, if a clause has no test, or if a test names no clause.
`;

function testsOf(id: string, tests: readonly TestTitle[]): string {
  return tests
    .filter(({ clauseIds }) => clauseIds.includes(id))
    .map(({ file, title }) => `\`${file}\`: ${cell(title)}`)
    .join('<br>');
}

function cell(text: string): string {
  return text.replaceAll('|', '\\|').replaceAll('<', '&lt;').replaceAll('*', '\\*');
}
