import { setTimeout as sleep } from 'node:timers/promises';
import { localDeployment } from '../local/local-deployment.ts';
import { stackDeployment } from '../operator/deployment/stack-deployment.ts';
import { toolVersion } from '../operator/doctor/version.ts';
import { CommandError } from '../terminal/errors.ts';
import { programWords } from '../terminal/help.ts';
import { handleClosedOutputs } from '../terminal/output.ts';
import { runAdmin } from './program.ts';

// The SDK warns about future Node.js versions before every result. package.json lists the supported versions.
process.env.AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED ??= 'true';

handleClosedOutputs(process.stdout, process.stderr);
process.exitCode = await runAdmin(process.argv.slice(2), {
  stdin: process.stdin,
  stdout: process.stdout,
  stderr: process.stderr,
  env: process.env,
  words: programWords('admin', process.env, process.argv[1]),
  version: toolVersion,
  sleep,
  openLocal: localDeployment,
  openStack: stackDeployment,
  runConsole: async (request) => {
    const console =
      process.env.FILE_SYNC_TOOL_VERSION === undefined ? await import('../console/command.ts') : undefined;
    if (console === undefined) {
      throw new CommandError(
        'The console is not in this file. Run it in the repository: npx file-sync-admin --stack NAME console',
      );
    }
    return console.runConsole(request);
  },
});
