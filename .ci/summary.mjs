/** Ends a check with the titles of what failed. Takes the JSON reports of the test runner. */
import { readFileSync } from 'node:fs';

const kinds = { passed: [], 'not run': [], 'skipped, and the title names no missing tool': [], failed: [] };
const [passed, missing, skipped, failed] = Object.values(kinds);
const reports = process.argv.slice(2).map((path) => JSON.parse(readFileSync(path, 'utf8')));
for (const { name, status, message, assertionResults: tests } of reports.flatMap((one) => one.testResults)) {
  for (const { status, fullName } of tests) {
    const kind = kinds[status] ?? (fullName.includes('not run: "') ? missing : skipped);
    kind.push(`${name}: ${fullName}`);
  }
  // A file that cannot be loaded has no test that fails.
  if (status === 'failed' && tests.every((test) => test.status !== 'failed')) {
    failed.push(`${name}: ${message}`);
  }
}
for (const [kind, titles] of Object.entries(kinds).slice(1)) {
  console.log([`${titles.length} ${kind}`, ...titles].join('\n  '));
}
const failures = failed.length + skipped.length;
console.log(`\n${passed.length} passed, ${failures} failed, ${missing.length} skipped`);
process.exitCode = failures > 0 || passed.length === 0 ? 1 : 0;
