import { basename } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { localDeployment } from '../operator/deployment/local-deployment.ts';
import { stackDeployment } from '../operator/deployment/stack-deployment.ts';
import { CommandError } from '../terminal/errors.ts';
import { handleClosedOutputs } from '../terminal/output.ts';
import { runAdmin } from './program.ts';

/** The entry point of `dist/file-sync-admin.mjs`, which `npm run build:tools` makes from it. */

process.env.AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED ??= 'true';

handleClosedOutputs(process.stdout, process.stderr);
process.exitCode = await runAdmin(process.argv.slice(2), {
  stdin: process.stdin,
  stdout: process.stdout,
  stderr: process.stderr,
  env: process.env,
  words: typedCommand(process.argv[1]),
  // The build puts the version in place of this variable.
  version: process.env.FILE_SYNC_TOOL_VERSION ?? 'unbuilt',
  sleep,
  openLocal: localDeployment,
  openStack: stackDeployment,
  runConsole: async () => {
    throw new CommandError(
      'The console is not in this file. Run it in the repository: npm run admin -- console',
    );
  },
});

/** What the user typed to run this file: `node file-sync-admin.mjs`, or the name that it was installed by. */
function typedCommand(path = 'file-sync-admin'): string {
  const name = basename(path);
  return /\.[cm]?js$/.test(name) ? `node ${name}` : name;
}
