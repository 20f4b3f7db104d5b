import {
  Annotations,
  App,
  type AppProps,
  DefaultStackSynthesizer,
  type IStackSynthesizer,
  PERMISSIONS_BOUNDARY_CONTEXT_KEY,
  PermissionsBoundary,
} from 'aws-cdk-lib';
import { removeAssets } from './bundle/remove-assets.ts';
import { readConfiguration, unknownKeys } from './configuration.ts';
import { FileSyncStack, featureFlags } from './file-sync-stack.ts';
import { type Configuration, regionOf } from './settings.ts';

/**
 * Creates the app with its one stack, configured by the context of the app.
 *
 * @throws {ConfigurationError} if a setting in the context is misspelled or not allowed
 */
export function createApp(props: AppProps = {}): { readonly app: App; readonly stack: FileSyncStack } {
  const context = { ...featureFlags, ...props.context };
  // Without analytics, the template contains no usage report to AWS. Without automatic synthesis, a wrong
  // configuration writes no template.
  const app = new App({ analyticsReporting: false, autoSynth: false, ...props, context });
  const configuration = readConfiguration(app.node);
  removeAssets(app.outdir);
  const stack = new FileSyncStack(app, `file-sync-${configuration.stage}`, {
    configuration,
    synthesizer: stackSynthesizer(),
    ...permissionsBoundaryOf(app),
  });
  for (const key of unknownKeys(app.node)) {
    Annotations.of(stack).addWarningV2(
      'file-sync:unknownSetting',
      `There is no setting ${key}: it was ignored.`,
    );
  }
  warnOfOtherRegion(stack, configuration, process.env.CDK_DEFAULT_REGION);
  warnOfPast(stack, configuration);
  return { app, stack };
}

/**
 * Reads a permissions boundary that is set as text (`-c`). The CDK accepts one only as JSON (`cdk.json`), and
 * ignores text: roles would be created without the boundary.
 */
function permissionsBoundaryOf(app: App): { readonly permissionsBoundary?: PermissionsBoundary } {
  const given: unknown = app.node.tryGetContext(PERMISSIONS_BOUNDARY_CONTEXT_KEY);
  if (typeof given !== 'string') {
    return {};
  }
  const { fromArn, fromName } = PermissionsBoundary;
  return { permissionsBoundary: given.startsWith('arn:') ? fromArn(given) : fromName(given) };
}

/** Warns of a time in the past. It is probably a mistake, because clients had no time to migrate. */
function warnOfPast(stack: FileSyncStack, { v0DeprecatedAt, v0SunsetAt }: Configuration): void {
  for (const [name, value] of Object.entries({ v0DeprecatedAt, v0SunsetAt })) {
    if (value !== undefined && Date.parse(value) < Date.now()) {
      Annotations.of(stack).addWarningV2('file-sync:past', `The time of ${name} (${value}) is past.`);
    }
  }
}

/**
 * Warns if a certificate is in another Region. The stack is for any Region, so the check is not certain: the
 * CDK CLI sets the target Region (`CDK_DEFAULT_REGION`), which may be a guess if it only synthesizes.
 */
function warnOfOtherRegion(
  stack: FileSyncStack,
  { certificateArn }: Configuration,
  region: string | undefined,
): void {
  const other = regionOf(certificateArn);
  if (other !== undefined && region !== undefined && other !== region) {
    Annotations.of(stack).addWarningV2(
      'file-sync:certificateRegion',
      `A certificate is in ${other}, and the CDK is set to ${region}. API Gateway takes certificates of its own Region ` +
        'only: request one there, or deploy to the Region of the certificate.',
    );
  }
}

/**
 * Creates a synthesizer without the bootstrap version rule: the CDK CLI checks the bootstrap stack itself
 * before it uploads anything. The cast is needed because the CDK's types contradict each other under
 * `exactOptionalPropertyTypes`.
 */
function stackSynthesizer(): IStackSynthesizer {
  return new DefaultStackSynthesizer({ generateBootstrapVersionRule: false }) as IStackSynthesizer;
}
