/**
 * Runs the system tests, or one of those that run long.
 *
 *     npm run test:system                      the system tests, soaks in their short form
 *     npm run test:system -- alarms            the system tests of one folder
 *     npm run test:system -- NAME [options]    a long run: a soak, whose options are the sizes in `NAME/NAME.test.ts`,
 *                                              or the program `NAME/main.ts`, whose first comment lists its options
 */
import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { soakVariable } from './soak.ts';

const soaks = ['faults', 'fuzz', 'uploads'];
const programs = ['generators', 'leaks', 'mutation'];

const [name = '', ...options] = process.argv.slice(2);
if (programs.includes(name)) {
  process.argv.splice(2, Infinity, ...options);
  await import(`./${name}/main.ts`);
} else if (soaks.includes(name)) {
  const parameters = [`test/system/${name}/${name}.test.ts`, '--disable-console-intercept'];
  runTests(parameters, { [soakVariable]: JSON.stringify(options) });
} else {
  runTests(process.argv.slice(2), {});
}

function runTests(parameters: readonly string[], environment: Readonly<Record<string, string>>): void {
  const command = ['node_modules/vitest/vitest.mjs', 'run', '--project', 'system', ...parameters];
  const child = spawn(process.execPath, command, {
    cwd: fileURLToPath(new URL('../../', import.meta.url)),
    env: { ...process.env, ...environment },
    stdio: 'inherit',
  });
  child.once('close', (code) => {
    process.exitCode = code ?? 1;
  });
}
