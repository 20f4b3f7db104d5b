import { runLocal } from './main.ts';
import { endSignal } from './start/end-signal.ts';

// The SDK warns about future Node.js versions. package.json lists the supported versions.
process.env.AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED ??= 'true';

// The run continues if the reader of the output stops (`| grep -m1 ready`).
process.stdout.on('error', () => undefined);
// The run also continues if the output goes to a file on a full disk.
process.stderr.on('error', () => undefined);
process.exitCode = await runLocal(process.argv.slice(2), {
  stdout: process.stdout,
  stderr: process.stderr,
  env: process.env,
  signal: endSignal(process),
});
// Open handles of dependencies must not keep the process alive.
process.exit();
