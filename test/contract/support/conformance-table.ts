import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../../../', import.meta.url));
const suite = 'test/contract/';

/**
 * Numbers of the rules in docs/api.md, by the headings of its sections. Test titles name a rule by `[3.2]`.
 */
export async function readClauses(): Promise<ReadonlyMap<string, readonly string[]>> {
  const page = await readFile(join(root, 'docs/api.md'), 'utf8');
  const sections = page.matchAll(/^## (\d+\. .+)\n([\s\S]*?)(?=^## )/gm);
  return new Map(Array.from(sections, ([, heading = '', text = '']) => [heading, clausesIn(text)]));
}

function clausesIn(section: string): readonly string[] {
  return Array.from(section.matchAll(/^- \*\*(\d+\.\d+)\*\* /gm), ([, id = '']) => id);
}

/** A test that checks rules. */
export interface TestTitle {
  /** Relative to the project's root. */
  readonly file: string;
  readonly title: string;
  readonly clauseIds: readonly string[];
}

/** Reads from the sources every test of the suite, and every other test whose title names a clause. */
export async function findTests(): Promise<TestTitle[]> {
  const names = (await readdir(join(root, 'test'), { recursive: true })).toSorted();
  const files = names.filter((name) => name.endsWith('.test.ts')).map((name) => `test/${name}`);
  const found = await Promise.all(files.map(testsIn));
  return found.flat();
}

async function testsIn(file: string): Promise<TestTitle[]> {
  const source = await readFile(join(root, file), 'utf8');
  // `test('...', …)` and `test.for(…)('...', …)` at the beginning of a line.
  const found = source.matchAll(/^ *test(?:\.for\([\s\S]*?\))?\(\s*(['"])(.*?)(?<!\\)\1,/gm);
  const tests = Array.from(found, ([, , title = '']) => ({ file, title, clauseIds: clausesOf(title) }));
  const isOfSuite = file.startsWith(suite) && !file.slice(suite.length).includes('/');
  return isOfSuite ? tests : tests.filter(({ clauseIds }) => clauseIds.length > 0);
}

/** Returns the clauses at the beginning of a title. */
function clausesOf(title: string): readonly string[] {
  const [prefix = ''] = /^(?:\[\d+\.\d+\] )*/.exec(title) ?? [];
  return prefix.match(/\d+\.\d+/g) ?? [];
}

/** Returns the table for readers: every clause under its heading, with the files of the tests that name it. */
export async function renderConformance(tests: readonly TestTitle[]): Promise<string> {
  const sections = Array.from(await readClauses(), ([heading, rules]) => {
    const rows = rules.map((id) => `- ${id}: ${testsOf(id, tests)}`);
    const anchor = heading
      .toLowerCase()
      .replace(/[^\w -]/g, '')
      .replaceAll(' ', '-');
    const title = `## [${heading}](../api.md#${anchor})`;
    return [title, '', ...rows, ''].join('\n');
  });
  return `${introduction}\n${sections.join('\n')}`;
}

const introduction = `# Conformance

The files whose tests check each rule of [the API](../api.md) over HTTP. The title of such a test begins with the rule:
search the file for \`[3.2]\`. A file without a folder is in \`test/contract/\`, whose tests run against any deployment.
They also check every response that they get: it matches the published API description, it has no CORS header, and an
error is JSON.

A test fails if this page is stale, if a rule has no test, or if a test names no rule.
`;

function testsOf(id: string, tests: readonly TestTitle[]): string {
  const files = tests.flatMap(({ clauseIds, file }) => (clauseIds.includes(id) ? [file] : []));
  return [...new Set(files)].map((file) => `\`${file.replace(suite, '')}\``).join(', ');
}
