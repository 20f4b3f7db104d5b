import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { temporaryFolder } from 'cloud-assembly-emulator/test/temporary-folder';
import { runProcess } from '../support/run-process.ts';

/** Tests the commands of `.ci/run` and its final summary of the test runner's reports. */

const passing = { status: 'passed', fullName: 'adds' };

/** Returns the summary of one test file with this status and these tests. */
async function summaryOf(status: string, assertionResults: readonly object[]) {
  const path = join(await temporaryFolder(), 'report.json');
  const file = { name: 'a.test.ts', status, message: 'cannot be loaded', assertionResults };
  await writeFile(path, JSON.stringify({ testResults: [file] }));
  const { code, stdout } = await runProcess(process.execPath, ['.ci/summary.mjs', path]);
  return [code, stdout.trim()];
}

test.for<[string, string, object[], [number, string]]>([
  ['passes when all tests do', 'passed', [], [0, '']],
  [
    'names a test that failed',
    'failed',
    [{ status: 'failed', fullName: 'divides' }],
    [1, '1 failed\n  a.test.ts: divides'],
  ],
  ['names a file that cannot be loaded', 'failed', [], [1, '1 failed\n  a.test.ts: cannot be loaded']],
  [
    'fails for a skip without a reason',
    'passed',
    [{ status: 'pending', fullName: 'divides' }],
    [1, '1 skipped, and the title names no missing tool\n  a.test.ts: divides'],
  ],
  [
    'lists a skip that names its missing tool',
    'passed',
    [{ status: 'skipped', fullName: 'not run: "go version" fails' }],
    [0, '1 not run\n  a.test.ts: not run: "go version" fails'],
  ],
])('the summary %s', async ([, status, tests, [code, text]]) => {
  const summary = await summaryOf(status, [passing, ...tests]);
  expect(summary).toEqual([code, expect.stringContaining(text)]);
  // Programs parse the last line.
  expect(summary[1]).toMatch(/\n1 passed, [01] failed, [01] skipped$/);
});

test('the summary fails when no test ran', async () => {
  expect((await summaryOf('passed', []))[0]).toBe(1);
});

test.for([
  ['nothing', 0],
  ['test', 1],
  ['test:system', 1],
] as const)('the check runs each step, also when %s fails, and ends with %i', async ([failing, code]) => {
  const folder = await temporaryFolder();
  const program = '#!/bin/sh\necho "$ ${0##*/} $1 $2 $3" && [ "$2" != "$FAILING" ]';
  await Promise.all(
    ['npm', 'npx', 'node'].map((name) => writeFile(join(folder, name), program, { mode: 0o755 })),
  );
  const env = { PATH: `${folder}:${process.env.PATH}`, FAILING: failing };
  const run = await runProcess('.ci/run', [], { env });
  expect([run.code, run.stdout.match(/^\$ \w+ \S+ \S* ?[\w-]*/gm)]).toEqual([
    code,
    [
      '$ npm ci --no-audit --no-fund',
      '$ npm run -s lint',
      '$ npm run -s typecheck',
      '$ npx cdk synth -q',
      '$ npx cdk ls ',
      expect.stringMatching('npm run test '),
      expect.stringMatching('npm run test:system'),
      expect.stringMatching('node .ci/summary.mjs'),
    ],
  ]);
});
