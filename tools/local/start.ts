import { runLocal } from './main.ts';
import { endSignal } from './start/end-signal.ts';

// The SDK warns about future Node versions. package.json names the supported versions.
process.env.AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED ??= 'true';

// Whoever reads the output may stop reading (`| grep -m1 ready`): the run serves on.
process.stdout.on('error', () => undefined);
// The same if the output goes to a file on a full disk.
process.stderr.on('error', () => undefined);
process.exitCode = await runLocal(process.argv.slice(2), {
  stdout: process.stdout,
  stderr: process.stderr,
  env: process.env,
  signal: endSignal(process),
});
// Whatever a dependency still holds open must not keep the process from ending.
process.exit();
