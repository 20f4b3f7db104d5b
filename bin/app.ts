import { ConfigurationError } from '../lib/configuration.ts';
import { createApp } from '../lib/file-sync-app.ts';

// Assets and their folder are for others to read and not to write. Lambda must be able to read them.
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
