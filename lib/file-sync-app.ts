import { Annotations, App, type AppProps } from 'aws-cdk-lib';
import { CURRENTLY_RECOMMENDED_FLAGS } from 'aws-cdk-lib/cx-api';
import { readConfiguration, unknownKeys } from './configuration.ts';
import { FileSyncStack } from './file-sync-stack.ts';

/** How the CDK should behave. Set here and not in `cdk.json`, so that every synthesis is the same. */
const featureFlags = {
  ...CURRENTLY_RECOMMENDED_FLAGS,
  // One statement for each grant, so that a policy reads like the code.
  '@aws-cdk/aws-iam:minimizePolicies': false,
};

/**
 * The app with its one stack, configured by the context of the app.
 *
 * @throws {ConfigurationError} when the context asks for something that can't be deployed
 */
export function createApp(props: AppProps = {}): { readonly app: App; readonly stack: FileSyncStack } {
  const context = { ...featureFlags, ...props.context };
  // No usage report to AWS in the template; and no template unless asked for, when the configuration is wrong.
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
