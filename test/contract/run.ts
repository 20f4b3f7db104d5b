import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { Command } from 'commander';
import { targetEnvironment } from '../support/contract-target.ts';
import { chooseTarget, type RunOptions } from './support/choose-target.ts';

/** The contract suite as `npm run verify` starts it. Exits as the test runner does; 2 for flags that don't fit together. */

const command = new Command('test/contract/run.ts')
  .description('Test a deployment against the contract, over HTTP.')
  .option(
    '--base-url <url>',
    'send requests to this base URL (default with --local or --stack: that of the deployment)',
  )
  .option('--local', 'use the local run that is already running (npm start)')
  .option('--state <dir>', 'use this state folder of the local run', '.local')
  .option('--stack <name>', 'use this deployed stack, with your AWS credentials')
  .option('--file <id>', "use this file of the client's organisation, with syncing enabled")
  .option('--file-not-enabled <id>', "use this file of the client's organisation, with syncing not enabled")
  .option('--file-of-another <id>', 'use this file of another organisation')
  .option('--filter <text>', 'run only the test files whose names contain this text')
  .exitOverride((error) => process.exit(error.exitCode === 0 ? 0 : 2));

const options = command.parse().opts<RunOptions & { filter?: string }>();
const target = chooseTarget(options, process.env);
if (!target.ok) {
  command.error(target.problem, { exitCode: 2 });
} else {
  runTests(targetEnvironment(target.target), options.filter);
}

function runTests(environment: Readonly<Record<string, string>>, filter: string | undefined): void {
  const root = fileURLToPath(new URL('../../', import.meta.url));
  const runner = fileURLToPath(new URL('../../node_modules/vitest/vitest.mjs', import.meta.url));
  const parameters = ['run', '--project', 'contract', '--reporter', 'verbose'];
  const child = spawn(process.execPath, [runner, ...parameters, ...(filter === undefined ? [] : [filter])], {
    cwd: root,
    env: { ...process.env, ...environment },
    stdio: 'inherit',
  });
  child.once('close', (code) => {
    process.exitCode = code ?? 1;
  });
}
