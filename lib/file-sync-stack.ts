import { Stack, type StackProps } from 'aws-cdk-lib';
import { CURRENTLY_RECOMMENDED_FLAGS } from 'aws-cdk-lib/cx-api';
import type { Construct } from 'constructs';
import { organisationsTable } from '../storage/organisation.ts';
import { addressOf } from './address.ts';
import { Api } from './api.ts';
import { SyncFunction, TokenFunction, VolumesFunction, WellKnownFunction } from './api-functions.ts';
import { completeConfiguration } from './configuration.ts';
import { DeletionProtection } from './deletion-protection.ts';
import { lifecycleOf } from './lifecycle.ts';
import { Monitoring } from './monitoring/monitoring.ts';
import { addOutputs, type Outputs } from './outputs.ts';
import { UploadReconciler, UploadRecorder } from './recording.ts';
import { SavedQueries } from './saved-queries.ts';
import type { Configuration } from './settings.ts';
import { SigningKey } from './signing-key.ts';
import { SigningKeyRotation } from './signing-key-rotation.ts';
import { ClientsTable, DataTable, FilesTable, UploadsTable } from './tables.ts';
import { UploadEvents } from './upload-events.ts';
import { UploadsBucket } from './uploads-bucket.ts';

/**
 * Feature flags of the CDK for this stack. They are not in `cdk.json`, because other apps create the stack
 * too.
 */
export const featureFlags: Readonly<Record<string, unknown>> = {
  ...CURRENTLY_RECOMMENDED_FLAGS,
  // Keeps one statement for each grant, so that a policy matches the code.
  '@aws-cdk/aws-iam:minimizePolicies': false,
};

export interface FileSyncStackProps extends StackProps {
  /** Settings that differ from their defaults. */
  readonly configuration?: Partial<Configuration>;
}

/** The whole service, for any account and Region. It connects the constructs; each construct decides its own part. */
export class FileSyncStack extends Stack {
  /** The outputs, for stacks that are deployed with this one. BaseUrl is the address of the API. */
  readonly outputs: Outputs;

  /**
   * @throws {ConfigurationError} if a setting is misspelled or not allowed, or settings contradict each other
   */
  constructor(
    scope: Construct,
    id: string,
    { configuration: given = {}, ...props }: FileSyncStackProps = {},
  ) {
    const configuration = completeConfiguration(given);
    super(scope, id, {
      description: 'File sync API: client credentials, volumes, and one-time upload URLs',
      // Without analytics, the template contains no usage report to AWS.
      analyticsReporting: false,
      ...props,
    });
    // Set here, because the stack may be part of another app: a flag of that app must not change the
    // permissions of the functions.
    for (const [flag, value] of Object.entries(featureFlags)) {
      this.node.setContext(flag, value);
    }
    const lifecycle = lifecycleOf(configuration);
    const address = addressOf(configuration, this);

    const organisations = new DataTable(this, 'Organisations', lifecycle, organisationsTable);
    const clients = new ClientsTable(this, 'Clients', lifecycle);
    const files = new FilesTable(this, 'Files', lifecycle);
    const uploads = new UploadsTable(this, 'Uploads', lifecycle);
    const { supersededRetentionDays, contentReaders } = configuration;
    const bucket = new UploadsBucket(this, 'UploadsBucket', {
      lifecycle,
      supersededRetentionDays,
      contentReaders,
    });
    const signingKey = new SigningKey(this, 'SigningKey', lifecycle);

    const api = new Api(this, 'Api', { lifecycle, configuration, address });
    const baseUrl = address.baseUrl ?? api.endpoint;
    const common = { lifecycle, configuration, baseUrl, signingKey };
    const token = new TokenFunction(this, 'Token', { ...common, clients });
    const volumes = new VolumesFunction(this, 'Volumes', common);
    const sync = new SyncFunction(this, 'Sync', { ...common, files, uploads, bucket });
    const wellKnown = new WellKnownFunction(this, 'WellKnown', common);

    const rotation = new SigningKeyRotation(this, 'Rotation', { lifecycle, configuration, signingKey });
    const events = new UploadEvents(this, 'UploadEvents');
    const recording = { lifecycle, configuration, bucket, files, uploads, events };
    const recorder = new UploadRecorder(this, 'Recorder', recording);
    const reconciler = new UploadReconciler(this, 'Reconciler', recording);
    const protection = lifecycle.deletionProtection
      ? new DeletionProtection(this, 'Protection', {
          lifecycle,
          tables: [organisations, clients, files, uploads],
        })
      : undefined;
    const functions = { token, volumes, sync, 'well-known': wellKnown };
    const parts = {
      ...common,
      ...recording,
      organisations,
      clients,
      api,
      functions,
      recorder,
      reconciler,
      rotation,
      protection,
    };
    // The construct id stays "Alarms", because the names of the alarms contain it.
    const monitoring =
      configuration.monitoring === 'full' ? new Monitoring(this, 'Alarms', parts) : undefined;
    api.serve({ functions, after: rotation.firstSigningKey });
    new SavedQueries(this, 'Queries', {
      access: { logGroup: api.accessLog },
      ...functions,
      'record-upload': recorder,
      'reconcile-uploads': reconciler,
    });

    this.outputs = addOutputs(this, { ...parts, monitoring });
  }
}
