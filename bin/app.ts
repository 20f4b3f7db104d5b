import { ConfigurationError } from '../lib/configuration.ts';
import { createApp } from '../lib/file-sync-app.ts';

try {
  createApp().app.synth();
} catch (error) {
  if (!(error instanceof ConfigurationError)) {
    throw error;
  }
  process.stderr.write(`${error.message}\n`);
  // The local run tells a wrong setting from an error of the app by this code.
  process.exitCode = 2;
}
