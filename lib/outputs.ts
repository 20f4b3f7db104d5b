import { CfnOutput, type Stack } from 'aws-cdk-lib';
import {
  type OptionalOutputName,
  type OutputName,
  optionalOutputNames,
  outputDescriptions,
  outputNames,
  type StackOutputs,
} from '../contract/internal/stack-outputs.ts';
import packageJson from '../package.json' with { type: 'json' };
import type { Api } from './api.ts';
import type { Monitoring } from './monitoring/monitoring.ts';
import type { UploadReconciler, UploadRecorder } from './recording.ts';
import type { Configuration } from './settings.ts';
import type { SigningKey } from './signing-key.ts';
import type { SigningKeyRotation } from './signing-key-rotation.ts';
import type { ClientsTable, DataTable, FilesTable, UploadsTable } from './tables.ts';
import type { UploadEvents } from './upload-events.ts';
import type { UploadsBucket } from './uploads-bucket.ts';

/** Sources of the output values. */
export interface OutputSources {
  readonly baseUrl: string;
  readonly configuration: Configuration;
  readonly organisations: DataTable;
  readonly clients: ClientsTable;
  readonly files: FilesTable;
  readonly uploads: UploadsTable;
  readonly bucket: UploadsBucket;
  readonly signingKey: SigningKey;
  readonly events: UploadEvents;
  readonly api: Api;
  readonly recorder: UploadRecorder;
  readonly reconciler: UploadReconciler;
  readonly rotation: SigningKeyRotation;
  readonly monitoring: Monitoring | undefined;
}

/** The outputs of a stack. Outputs that depend on settings may be absent. */
export type Outputs = Readonly<Record<OutputName, CfnOutput>> &
  Readonly<Partial<Record<OptionalOutputName, CfnOutput>>>;

/** Adds the outputs to the stack, each under its own name. */
export function addOutputs(stack: Stack, sources: OutputSources): Outputs {
  const values = valuesOf(sources);
  const outputs = [...outputNames, ...optionalOutputNames].flatMap((name) => {
    const value = values[name];
    const description = outputDescriptions[name];
    return value === undefined ? [] : [[name, new CfnOutput(stack, name, { value, description })] as const];
  });
  return Object.fromEntries(outputs) as Outputs;
}

function valuesOf({
  baseUrl,
  configuration,
  signingKey,
  api,
  recorder,
  ...sources
}: OutputSources): StackOutputs {
  return {
    BaseUrl: baseUrl,
    OrganisationsTableName: sources.organisations.tableName,
    ClientsTableName: sources.clients.tableName,
    FilesTableName: sources.files.tableName,
    UploadsTableName: sources.uploads.tableName,
    BucketName: sources.bucket.bucketName,
    SigningKeySecretArn: signingKey.signingKeySecretArn,
    SigningKeyKmsKeyArn: signingKey.signingKeyKmsKeyArn,
    KeySetSecretArn: signingKey.keySetSecretArn,
    RecordUploadFunctionName: recorder.function.functionName,
    ReconcileUploadsFunctionName: sources.reconciler.function.functionName,
    RotateSigningKeyFunctionName: sources.rotation.function.functionName,
    DeadLetterQueueUrl: recorder.deadLetterQueue.queueUrl,
    DashboardName: sources.monitoring?.dashboardName,
    SupersededRetentionDays: String(configuration.supersededRetentionDays),
    EventBusName: sources.events.eventBusName,
    ApiEndpoint: api.endpoint,
    Version: packageJson.version,
    UploadHost: sources.bucket.hostFor(configuration.ipAddressType),
    TokenLifetimeSeconds: String(configuration.tokenLifetimeSeconds),
    LogRetentionDays: String(configuration.logRetentionDays),
    TokenRateLimit: String(configuration.tokenRateLimit),
    SyncRateLimit: String(configuration.syncRateLimit),
    DomainTarget: api.domain?.target,
    DomainTargetHostedZoneId: api.domain?.targetHostedZoneId,
    ContentReaders: configuration.contentReaders.join(', ') || undefined,
  };
}
