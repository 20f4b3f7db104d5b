import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { Command } from 'commander';
import { targetEnvironment } from '../support/contract-target.ts';
import { chooseTarget, type RunOptions } from './support/choose-target.ts';

/** Entry point of `npm run test:contract`. Exits as the test runner does; 2 for flags that don't fit together. */

const examples = `
Where the clients and files of the tests come from:
  nothing given        a local run is started for the suite, and everything is tested
  --local              the local run that is going (npm start); they are made there, and retired afterwards
  --stack NAME         a deployed stack, with your AWS credentials; likewise
  otherwise            FILE_SYNC_CLIENT_ID and FILE_SYNC_CLIENT_SECRET, and whatever else you give. Also read:
                       FILE_SYNC_READER_CLIENT_ID/_SECRET (a client with volume:read alone) and
                       FILE_SYNC_REVOKED_CLIENT_ID/_SECRET. A test whose fixture is missing is skipped and says so.

Examples:
  npm run test:contract
  npm run test:contract -- --local
  npm run test:contract -- --stack file-sync-dev
  FILE_SYNC_CLIENT_ID=... FILE_SYNC_CLIENT_SECRET=... \\
      npm run test:contract -- --base-url https://api.example.com --file orders`;

const command = new Command('test:contract')
  .description('Tests a deployment against the contract, over HTTP.')
  .option('--base-url <url>', 'base URL of the deployment (default with --local and --stack: their own)')
  .option('--local', 'provision on the local run that is going')
  .option('--state <dir>', 'state folder of that local run', '.local')
  .option('--stack <name>', 'provision on a deployed stack')
  .option('--file <id>', "a file of the client's organisation with syncing enabled")
  .option('--file-not-enabled <id>', "a file of the client's organisation with syncing not enabled")
  .option('--file-of-another <id>', 'a file of another organisation')
  .option('--filter <text>', 'only test files whose name contains this')
  .addHelpText('after', examples)
  .exitOverride((error) => process.exit(error.exitCode === 0 ? 0 : 2));

const options = command.parse().opts<RunOptions & { filter?: string }>();
const target = chooseTarget(options, process.env);
if (!target.ok) command.error(target.problem, { exitCode: 2 });
else runTests(targetEnvironment(target.target), options.filter);

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
