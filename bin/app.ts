import { ConfigurationError } from '../lib/configuration.ts';
import { createApp } from '../lib/file-sync-app.ts';

// Lets other users read the output folder, but not write there. Lambda must be able to read the assets.
process.umask(0o022);
try {
  createApp().app.synth();
} catch (error) {
  if (!(error instanceof ConfigurationError)) {
    throw error;
  }
  process.stderr.write(`${error.message}\n`);
  // The local run distinguishes a wrong setting from an error of the app by this exit code.
  process.exitCode = 2;
}
