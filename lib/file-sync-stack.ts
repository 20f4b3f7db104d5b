import { CfnOutput, Stack, type StackProps, Token } from 'aws-cdk-lib';
import { CURRENTLY_RECOMMENDED_FLAGS } from 'aws-cdk-lib/cx-api';
import type { Construct } from 'constructs';
import { addressOf } from './address.ts';
import { Api } from './api.ts';
import { SyncFunction, TokenFunction, VolumesFunction, WellKnownFunction } from './api-functions.ts';
import { completeConfiguration, requireTopicOf } from './configuration.ts';
import { DeletionProtection } from './deletion-protection.ts';
import { lifecycleOf } from './lifecycle.ts';
import { Monitoring } from './monitoring/monitoring.ts';
import { SavedQueries } from './saved-queries.ts';
import type { Configuration } from './settings.ts';
import { SigningKey } from './signing-key.ts';
import { SigningKeyRotation } from './signing-key-rotation.ts';
import {
  type OptionalOutputName,
  type OutputName,
  optionalOutputNames,
  outputDescriptions,
  outputNames,
  type StackOutputs,
} from './stack-outputs.ts';
import { ClientsTable, FilesTable, UploadsTable } from './tables.ts';
import { UploadEvents } from './upload-events.ts';
import { UploadReconciler } from './upload-reconciler.ts';
import { UploadRecorder } from './upload-recorder.ts';
import { UploadsBucket } from './uploads-bucket.ts';

/** Feature flags of the CDK that the stack is made with. They are not in `cdk.json`, so that every app has the same. */
export const featureFlags: Readonly<Record<string, unknown>> = {
  ...CURRENTLY_RECOMMENDED_FLAGS,
  // Keeps one statement for each grant, so that a policy has the same parts as the code.
  '@aws-cdk/aws-iam:minimizePolicies': false,
};

export interface FileSyncStackProps extends StackProps {
  /** The settings that differ from their defaults. */
  readonly configuration?: Partial<Configuration>;
}

/** The whole service, for any account and Region. It connects the constructs; each construct decides its own part. */
export class FileSyncStack extends Stack {
  /** The outputs, for what is deployed beside the stack: BaseUrl is the address of the API. */
  readonly outputs: Readonly<Record<OutputName, CfnOutput>> &
    Readonly<Partial<Record<OptionalOutputName, CfnOutput>>>;

  /** @throws {ConfigurationError} when a setting is misspelled or not allowed, or settings contradict each other */
  constructor(
    scope: Construct,
    id: string,
    { configuration: given = {}, ...props }: FileSyncStackProps = {},
  ) {
    const configuration = completeConfiguration(given);
    super(scope, id, {
      description: 'File sync API: client credentials, volumes, and one-time upload URLs',
      // Without analytics, the template holds no usage report to AWS.
      analyticsReporting: false,
      ...props,
    });
    const region = Token.isUnresolved(this.region) ? undefined : this.region;
    requireTopicOf(region, configuration);
    // In somebody else's app as in our own: a flag of that app must not change the permissions of the functions.
    for (const [flag, value] of Object.entries(featureFlags)) {
      this.node.setContext(flag, value);
    }
    const lifecycle = lifecycleOf(configuration.stage);
    const address = addressOf(configuration, region);

    const clients = new ClientsTable(this, 'Clients', lifecycle);
    const files = new FilesTable(this, 'Files', lifecycle);
    const uploads = new UploadsTable(this, 'Uploads', lifecycle);
    const { supersededRetentionDays } = configuration;
    const bucket = new UploadsBucket(this, 'UploadsBucket', { lifecycle, supersededRetentionDays });
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
      ? new DeletionProtection(this, 'Protection', { lifecycle, clients, files, uploads })
      : undefined;
    // Its id is from when there were alarms alone, so that they keep their names and their history.
    const monitoring =
      configuration.monitoring === 'none'
        ? undefined
        : new Monitoring(this, 'Alarms', {
            configuration,
            apiId: api.apiId,
            accessLog: api.accessLog,
            recorder: recorder.function,
            reconciler: reconciler.function,
            rotation: rotation.function,
            deletionProtection: protection?.function,
            objectCreated: recorder.rule,
            reconciliation: reconciler.rule,
            deadLetterQueue: recorder.deadLetterQueue,
          });
    const functions = { token, volumes, sync, 'well-known': wellKnown };
    api.serve({ functions, after: rotation.firstSigningKey });
    new SavedQueries(this, 'Queries', {
      logs: {
        access: api.accessLog,
        token: token.logGroup,
        volumes: volumes.logGroup,
        sync: sync.logGroup,
        'well-known': wellKnown.logGroup,
        'record-upload': recorder.logGroup,
        'reconcile-uploads': reconciler.logGroup,
      },
    });

    this.outputs = this.output({
      BaseUrl: baseUrl,
      ClientsTableName: clients.tableName,
      FilesTableName: files.tableName,
      UploadsTableName: uploads.tableName,
      BucketName: bucket.bucketName,
      SigningKeySecretArn: signingKey.signingKeySecretArn,
      KeySetSecretArn: signingKey.keySetSecretArn,
      RecordUploadFunctionName: recorder.function.functionName,
      ReconcileUploadsFunctionName: reconciler.function.functionName,
      RotateSigningKeyFunctionName: rotation.function.functionName,
      DeadLetterQueueUrl: recorder.deadLetterQueue.queueUrl,
      DashboardName: monitoring?.dashboardName,
      SupersededRetentionDays: String(supersededRetentionDays),
      EventBusName: events.eventBusName,
      ApiEndpoint: api.endpoint,
      DomainTarget: api.domain?.target,
      DomainTargetHostedZoneId: api.domain?.targetHostedZoneId,
    });
  }

  private output(values: StackOutputs): FileSyncStack['outputs'] {
    const outputs = [...outputNames, ...optionalOutputNames].flatMap((name) => {
      const value = values[name];
      const description = outputDescriptions[name];
      return value === undefined ? [] : [[name, new CfnOutput(this, name, { value, description })] as const];
    });
    return Object.fromEntries(outputs) as FileSyncStack['outputs'];
  }
}
