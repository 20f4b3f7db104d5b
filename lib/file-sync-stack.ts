import { CfnOutput, DefaultStackSynthesizer, type IStackSynthesizer, Stack } from 'aws-cdk-lib';
import type { Construct } from 'constructs';
import { outputDescriptions, outputNames, type StackOutputs } from '../cli/deployment/stack-outputs.ts';
import { Alarms } from './alarms.ts';
import { Api } from './api.ts';
import { SyncFunction, TokenFunction, VolumesFunction, WellKnownFunction } from './api-functions.ts';
import type { Configuration } from './configuration.ts';
import { DeletionProtection } from './deletion-protection.ts';
import { lifecycleOf } from './lifecycle.ts';
import { SigningKey } from './signing-key.ts';
import { SigningKeyRotation } from './signing-key-rotation.ts';
import { ClientsTable, FilesTable, UploadsTable } from './tables.ts';
import { UploadRecorder } from './upload-recorder.ts';
import { UploadsBucket } from './uploads-bucket.ts';

/** The whole service, for any account and Region. It connects the constructs; each construct decides its own part. */
export class FileSyncStack extends Stack {
  constructor(scope: Construct, configuration: Configuration) {
    super(scope, `file-sync-${configuration.stage}`, {
      description: 'File sync API: client credentials, volumes, and one-time upload URLs',
      synthesizer: stackSynthesizer(),
    });
    const lifecycle = lifecycleOf(configuration.stage);

    const clients = new ClientsTable(this, 'Clients', lifecycle);
    const files = new FilesTable(this, 'Files', lifecycle);
    const uploads = new UploadsTable(this, 'Uploads', lifecycle);
    const { supersededRetentionDays } = configuration;
    const bucket = new UploadsBucket(this, 'UploadsBucket', { lifecycle, supersededRetentionDays });
    const signingKey = new SigningKey(this, 'SigningKey', lifecycle);

    const api = new Api(this, 'Api', { lifecycle, configuration });
    const baseUrl = configuration.baseUrl ?? api.endpoint;
    const common = { lifecycle, configuration, baseUrl, signingKey };
    const token = new TokenFunction(this, 'Token', { ...common, clients });
    const volumes = new VolumesFunction(this, 'Volumes', common);
    const sync = new SyncFunction(this, 'Sync', { ...common, files, uploads, bucket });
    const wellKnown = new WellKnownFunction(this, 'WellKnown', common);

    const rotation = new SigningKeyRotation(this, 'Rotation', { lifecycle, configuration, signingKey });
    const recorder = new UploadRecorder(this, 'Recorder', {
      lifecycle,
      configuration,
      bucket,
      files,
      uploads,
    });
    api.serve({
      functions: { token, volumes, sync, 'well-known': wellKnown },
      after: rotation.firstSigningKey,
    });
    if (lifecycle.deletionProtection) {
      new DeletionProtection(this, 'Protection', { lifecycle, clients, files, uploads });
    }
    const { deadLetterQueue, secondVersions } = recorder;
    new Alarms(this, 'Alarms', { apiId: api.apiId, deadLetterQueue, secondVersions });

    this.output({
      BaseUrl: baseUrl,
      ClientsTableName: clients.tableName,
      FilesTableName: files.tableName,
      UploadsTableName: uploads.tableName,
      BucketName: bucket.bucketName,
      SigningKeySecretArn: signingKey.signingKeySecretArn,
      KeySetSecretArn: signingKey.keySetSecretArn,
      RecordUploadFunctionName: recorder.functionName,
      RotateSigningKeyFunctionName: rotation.functionName,
      DeadLetterQueueUrl: recorder.deadLetterQueue.queueUrl,
      SupersededRetentionDays: String(supersededRetentionDays),
    });
  }

  private output(values: StackOutputs): void {
    for (const name of outputNames) {
      new CfnOutput(this, name, { value: values[name], description: outputDescriptions[name] });
    }
  }
}

/**
 * A synthesizer without the bootstrap version rule: the CDK CLI checks the bootstrap stack itself before it uploads
 * anything. The cast is needed because the CDK's types contradict each other under `exactOptionalPropertyTypes`.
 */
function stackSynthesizer(): IStackSynthesizer {
  return new DefaultStackSynthesizer({ generateBootstrapVersionRule: false }) as IStackSynthesizer;
}
