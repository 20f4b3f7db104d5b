/**
 * Long form of the search for leaks; a shorter one follows the contract suite in `npm test`.
 *
 *     npm run test:system -- leaks
 *
 * Runs the whole contract suite in a separate process, and the command-line tools, with success and with failure,
 * against one local run. Then searches all their output, and all files under version control, for every secret, token,
 * private key and URL signature of the run. Exits 1 if it finds one.
 */
import '../../support/quiet-sdk.ts';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { targetEnvironment } from '../../support/contract-target.ts';
import { startLocalRun } from '../../support/local-run.ts';
import { runProcess } from '../../support/run-process.ts';
import type { Written } from '../../support/search-for-secrets.ts';
import { startWatch } from '../../support/watched-run.ts';
import { runTools } from './run-tools.ts';

const root = fileURLToPath(new URL('../../../', import.meta.url));
const { folder, stateDirectory, finish } = await startWatch();
const run = await startLocalRun({ stateDirectory });
await finish(run, [...(await runSuite()), ...(await runTools(run, folder)), ...(await readTracked())]);

/** Runs the suite, and returns its output and its report, even if tests failed. */
async function runSuite(): Promise<Written[]> {
  const reportFile = join(folder, 'report.json');
  const reporters = ['--reporter=verbose', '--reporter=json', `--outputFile.json=${reportFile}`];
  const vitest = ['node_modules/vitest/vitest.mjs', 'run', '--project', 'contract', ...reporters];
  const { code, stdout, stderr } = await runProcess(process.execPath, vitest, {
    cwd: root,
    env: { ...process.env, ...targetEnvironment({ kind: 'local', stateDirectory }) },
  });
  process.stdout.write(`contract suite: exit ${code}\n`);
  if (code !== 0) {
    process.exitCode = 1;
  }
  return [
    { name: 'output of the test runner', bytes: Buffer.from(stdout + stderr) },
    { name: 'report of the test runner', bytes: await readFile(reportFile) },
  ];
}

async function readTracked(): Promise<Written[]> {
  const { stdout } = await runProcess('git', ['ls-files', '-z'], { cwd: root });
  const names = stdout.split('\0').filter((name) => name !== '');
  return Promise.all(
    // A file whose deletion is not committed cannot be read.
    names.map(async (name) => ({
      name,
      bytes: await readFile(join(root, name)).catch(() => Buffer.alloc(0)),
    })),
  );
}
