import type { Construct } from 'constructs';
import type { Lifecycle } from './lifecycle.ts';
import { metricsNamespaceOf, type ServiceFunction, type ServiceFunctionProps } from './service-function.ts';
import type { Configuration } from './settings.ts';
import type { FilesTable, ReadAction, UploadsTable } from './tables.ts';
import type { UploadEvents } from './upload-events.ts';
import type { UploadsBucket } from './uploads-bucket.ts';

/** Properties of a construct whose function records uploads. */
export interface RecordingProps {
  readonly lifecycle: Lifecycle;
  readonly configuration: Configuration;
  readonly bucket: UploadsBucket;
  readonly files: FilesTable;
  readonly uploads: UploadsTable;
  readonly events: UploadEvents;
}

/** Returns the variables that `lambdas/shared/recording/open-recording.ts` reads. */
export function recordingEnvironment(
  scope: Construct,
  { configuration, bucket, files, uploads, events }: RecordingProps,
): ServiceFunctionProps['environment'] {
  return {
    filesTableName: files.tableName,
    uploadsTableName: uploads.tableName,
    bucketName: bucket.bucketName,
    eventBusName: events.eventBusName,
    metricsNamespace: metricsNamespaceOf(scope, configuration),
  };
}

/** Allows a function to record uploads with `lambdas/shared/recording/`. */
export function grantRecording(
  { role }: ServiceFunction,
  { bucket, files, uploads, events }: RecordingProps,
  read: ReadAction,
): void {
  files.grantPointAtContent(role, read);
  uploads.grantRecordOutcome(role, read);
  bucket.grantReadFacts(role);
  events.grantAnnounce(role);
}
