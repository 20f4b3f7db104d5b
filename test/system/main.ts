/**
 * Runs the system tests, or one of those that run long. Most of these have a short form among the system tests.
 *
 *     npm run test:system                      the system tests
 *     npm run test:system -- alarms            the system tests of one folder
 *     npm run test:system -- NAME [options]    a long run; the comment at the top of `NAME/main.ts` lists its options
 */
import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const longRuns = [
  'faults',
  'fuzz',
  'generators',
  'leaks',
  'limits',
  'mutation',
  'rotation',
  'uploads',
] as const;

const [name = '', ...options] = process.argv.slice(2);
const longRun = longRuns.find((each) => each === name);
if (longRun !== undefined) {
  process.argv.splice(2, Infinity, ...options);
  await import(`./${longRun}/main.ts`);
} else {
  const parameters = ['node_modules/vitest/vitest.mjs', 'run', '--project', 'system'];
  const child = spawn(process.execPath, [...parameters, ...process.argv.slice(2)], {
    cwd: fileURLToPath(new URL('../../', import.meta.url)),
    stdio: 'inherit',
  });
  child.once('close', (code) => {
    process.exitCode = code ?? 1;
  });
}
