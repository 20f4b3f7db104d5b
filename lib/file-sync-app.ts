import { Annotations, App, type AppProps } from 'aws-cdk-lib';
import { CURRENTLY_RECOMMENDED_FLAGS } from 'aws-cdk-lib/cx-api';
import { readConfiguration, unknownKeys } from './configuration.ts';
import { FileSyncStack } from './file-sync-stack.ts';

/** Feature flags of the CDK. They are here and not in `cdk.json`, so that tests synthesize with the same flags. */
const featureFlags = {
  ...CURRENTLY_RECOMMENDED_FLAGS,
  // Keeps one statement for each grant, so that a policy has the same parts as the code.
  '@aws-cdk/aws-iam:minimizePolicies': false,
};

/**
 * The app with its one stack, configured by the context of the app.
 *
 * @throws {ConfigurationError} when a setting in the context is misspelled or not allowed
 */
export function createApp(props: AppProps = {}): { readonly app: App; readonly stack: FileSyncStack } {
  const context = { ...featureFlags, ...props.context };
  // Without analytics, the template holds no usage report to AWS. Without automatic synthesis, a wrong configuration
  // writes no template.
  const app = new App({ analyticsReporting: false, autoSynth: false, ...props, context });
  const stack = new FileSyncStack(app, readConfiguration(app.node));
  for (const key of unknownKeys(app.node)) {
    Annotations.of(stack).addWarningV2(
      'file-sync:unknownSetting',
      `There is no setting ${key}: it was ignored.`,
    );
  }
  return { app, stack };
}
