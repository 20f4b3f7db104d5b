import { ConfigurationError } from '../lib/configuration.ts';
import { createApp } from '../lib/file-sync-app.ts';

// Other users may read the output folder, and not write there. Lambda must be able to read the assets.
process.umask(0o022);
try {
  createApp().app.synth();
} catch (error) {
  if (!(error instanceof ConfigurationError)) {
    throw error;
  }
  process.stderr.write(`${error.message}\n`);
  // By this exit code, the local run tells a wrong setting from an error of the app.
  process.exitCode = 2;
}
