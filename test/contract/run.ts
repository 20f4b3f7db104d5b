import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { Command } from 'commander';
import { targetEnvironment } from '../support/contract-target.ts';
import { chooseTarget, type RunOptions } from './support/choose-target.ts';

/** Entry point of `npm run test:contract`. Exits as the test runner does; 2 for flags that don't fit together. */

const examples = `
Without options, the suite starts a local run of its own and runs every test.

With --local or --stack, the suite creates the clients and files that it needs.
At the end it revokes the clients and disables syncing for the files.

With --base-url alone, the suite uses the clients in these variables:
  FILE_SYNC_CLIENT_ID, FILE_SYNC_CLIENT_SECRET
      the client of the tests
  FILE_SYNC_READER_CLIENT_ID, FILE_SYNC_READER_CLIENT_SECRET
      a client that holds only volume:read (optional)
  FILE_SYNC_REVOKED_CLIENT_ID, FILE_SYNC_REVOKED_CLIENT_SECRET
      a revoked client (optional)
A test is skipped, with a message, if a client or file that it needs is missing.

Examples:
  npm run test:contract
  npm run test:contract -- --local
  npm run test:contract -- --stack file-sync-dev
  FILE_SYNC_CLIENT_ID=... FILE_SYNC_CLIENT_SECRET=... \\
      npm run test:contract -- --base-url https://api.example.com --file orders`;

const command = new Command('test:contract')
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
  .addHelpText('after', examples)
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
