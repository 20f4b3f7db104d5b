/** Ends a check: the titles of what failed, and what was not run since a tool is missing. Takes the JSON reports of vitest. */
import { readFileSync } from 'node:fs';

const reports = process.argv.slice(2).map((path) => JSON.parse(readFileSync(path, 'utf8')));
const files = reports.flatMap(({ testResults }) => testResults);
const tests = files.flatMap(({ name, assertionResults }) =>
  assertionResults.map(({ status, fullName }) => ({ status, title: `${name}: ${fullName}` })),
);
const titles = (wanted) => tests.filter(wanted).map(({ title }) => title);
const passed = titles(({ status }) => status === 'passed');
const failed = titles(({ status }) => status === 'failed');
const others = titles(({ status }) => status !== 'passed' && status !== 'failed');
const missing = others.filter((title) => title.includes('not run: "'));
const skipped = others.filter((title) => !missing.includes(title));
// A file that cannot be loaded has no test that fails.
const broken = files
  .filter(({ name, status }) => status === 'failed' && !failed.some((title) => title.startsWith(name)))
  .map(({ name, message }) => `${name}: ${message}`);
const bad = [
  ...failed,
  ...broken,
  ...skipped.map((title) => `${title}: skipped, and its title names no missing tool`),
];
const listed = (what, list) => (list.length > 0 ? `\n${what}:\n  ${list.join('\n  ')}` : '');
console.log(`${listed('Not run', missing)}${listed('Failed', bad)}`);
console.log(`${passed.length} passed, ${bad.length} failed, ${missing.length} not run`);
process.exitCode = bad.length > 0 || passed.length === 0 ? 1 : 0;
