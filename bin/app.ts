import { ConfigurationError } from '../lib/configuration.ts';
import { createApp } from '../lib/file-sync-app.ts';

try {
  createApp().app.synth();
} catch (error) {
  if (!(error instanceof ConfigurationError)) {
    throw error;
  }
  process.stderr.write(`${error.message}\n`);
  process.exitCode = 1;
}
