import { setTimeout as sleep } from 'node:timers/promises';
import { localDeployment } from '../local/local-deployment.ts';
import { stackDeployment } from '../operator/deployment/stack-deployment.ts';
import { exitCodes } from '../terminal/errors.ts';
import { handleClosedOutputs } from '../terminal/output.ts';
import { runVerify } from './program.ts';

/** Entry point of `npm run verify`. */

// The SDK warns about future Node.js versions. package.json lists the supported versions.
process.env.AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED ??= 'true';

const stop = new AbortController();

for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
  process.on(signal, () => {
    if (stop.signal.aborted) {
      process.exit(exitCodes.interrupted);
    }
    process.stderr.write(
      '\nStopping. The run first deletes its client, file and uploads, which takes about 12 s. A second Ctrl-C skips that.\n',
    );
    stop.abort();
  });
}

handleClosedOutputs(process.stdout, process.stderr);
const code = await runVerify(process.argv.slice(2), {
  stdin: process.stdin,
  stdout: process.stdout,
  stderr: process.stderr,
  env: process.env,
  openLocal: localDeployment,
  openStack: stackDeployment,
  sleep,
  signal: stop.signal,
});
// Pending waits of a stopped run must not keep the process alive.
process.exit(code);
