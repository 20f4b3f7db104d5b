import { setTimeout as sleep } from 'node:timers/promises';
import { runAdmin } from '../cli/admin/program.ts';
import { localDeployment } from '../cli/deployment/local-deployment.ts';
import { stackDeployment } from '../cli/deployment/stack-deployment.ts';
import { programWords } from '../cli/terminal/help.ts';
import { handleClosedOutputs } from '../cli/terminal/output.ts';
import packageJson from '../package.json' with { type: 'json' };

// The SDK warns about future Node versions before every result. package.json names the supported versions.
process.env.AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED ??= 'true';

handleClosedOutputs(process.stdout, process.stderr);
process.exitCode = await runAdmin(process.argv.slice(2), {
  stdin: process.stdin,
  stdout: process.stdout,
  stderr: process.stderr,
  env: process.env,
  words: programWords('admin', process.env),
  version: packageJson.version,
  sleep,
  openLocal: localDeployment,
  openStack: stackDeployment,
  runConsole: async (request) => (await import('../console/command.ts')).runConsole(request),
});
