import { localDeployment, stackDeployment } from '../cli/admin/deployment.ts';
import { runAdmin } from '../cli/admin/main.ts';
import { endOnClosedOutput, outliveClosedErrors } from '../cli/pipe.ts';

// The SDK's notice about coming Node versions would stand before every result; package.json says which are fit.
process.env.AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED ??= 'true';

outliveClosedErrors(process.stderr);
endOnClosedOutput(process.stdout, process.stderr);
process.exitCode = await runAdmin(process.argv.slice(2), {
  stdin: process.stdin,
  stdout: process.stdout,
  stderr: process.stderr,
  env: process.env,
  openLocal: localDeployment,
  openStack: stackDeployment,
});
