import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { temporaryFolder } from 'cloud-assembly-emulator/test/temporary-folder';
import { expect, test } from 'vitest';
import { runProcess } from '../support/run-process.ts';

/** What `.ci/run` says at its end, from the reports of the test runner. */

const passing = { status: 'passed', fullName: 'adds' };

/** The summary of one test file, which has the status and tests. */
async function summaryOf(status: string, assertionResults: readonly object[]) {
  const path = join(await temporaryFolder(), 'report.json');
  const file = { name: 'a.test.ts', status, message: 'cannot be loaded', assertionResults };
  await writeFile(path, JSON.stringify({ testResults: [file] }));
  const { code, stdout } = await runProcess(process.execPath, ['.ci/summary.mjs', path]);
  return [code, stdout.trim()];
}

test.for<[string, string, object[], [number, string]]>([
  ['passes when all tests do', 'passed', [passing], [0, '1 passed, 0 failed, 0 not run']],
  [
    'names a test that failed',
    'failed',
    [passing, { status: 'failed', fullName: 'divides' }],
    [1, 'Failed:\n  a.test.ts: divides\n1 passed, 1 failed, 0 not run'],
  ],
  [
    'names a file that cannot be loaded',
    'failed',
    [],
    [1, 'Failed:\n  a.test.ts: cannot be loaded\n0 passed, 1 failed, 0 not run'],
  ],
  [
    'fails for a skip without a reason',
    'passed',
    [passing, { status: 'pending', fullName: 'divides' }],
    [
      1,
      'Failed:\n  a.test.ts: divides: skipped, and its title names no missing tool\n1 passed, 1 failed, 0 not run',
    ],
  ],
  [
    'lists a skip that names its missing tool',
    'passed',
    [passing, { status: 'skipped', fullName: 'not run: "go version" fails' }],
    [0, 'Not run:\n  a.test.ts: not run: "go version" fails\n1 passed, 0 failed, 1 not run'],
  ],
  ['fails when no test ran', 'passed', [], [1, '0 passed, 0 failed, 0 not run']],
])('the summary %s', async ([, status, tests, expected]) => {
  expect(await summaryOf(status, tests)).toEqual(expected);
});
