import { DynamoDB } from '@aws-sdk/client-dynamodb';
import { S3 } from '@aws-sdk/client-s3';
import type { BusEvent } from 'cloud-assembly-emulator';
import { clientFor, prepareRuns, resource } from 'cloud-assembly-emulator/test/aws-services';
import { timestamp } from '../../../../storage/attributes.ts';
import { fileFromItem, filesTable, putNewFile, readFileRequest } from '../../../../storage/file.ts';
import { objectKeyOf } from '../../../../storage/object-key.ts';
import type { TableKeys } from '../../../../storage/table.ts';
import { putIssued, readUploadRequest, uploadFromItem, uploadsTable } from '../../../../storage/upload.ts';
import { definitionOf } from '../../../support/dynamodb.ts';
import { noon } from '../../../support/signing-keys.ts';
import { stubEnvironment } from '../../support/environment.ts';

/** A table of the product, for the emulator. */
export const table = (logicalId: string, keys: TableKeys) =>
  resource(logicalId, 'AWS::DynamoDB::Table', { ...definitionOf(keys), BillingMode: 'PAY_PER_REQUEST' });
const files = table('Files', filesTable);
const uploads = table('Uploads', uploadsTable);
const bus = resource('Bus', 'AWS::Events::EventBus', { Name: 'bus' });
const bucket = resource('Uploads', 'AWS::S3::Bucket', { VersioningConfiguration: { Status: 'Enabled' } });

export const names = { files: files.ref, uploads: uploads.ref, bucket: bucket.ref, bus: bus.ref };

/** Starts the two tables and the bucket that recording requires, until the end of the file or test. */
export async function startStorage() {
  const runs = await prepareRuns([files, uploads, bucket, bus]);
  const events: BusEvent[] = [];
  const aws = await runs.start({ onEvent: async ({ event }) => void events.push(event) });
  const dynamodb = new DynamoDB(clientFor(aws));
  // As with an upload URL, the client does not send its own checksum.
  const s3 = new S3({
    ...clientFor(aws),
    forcePathStyle: true,
    requestChecksumCalculation: 'WHEN_REQUIRED',
  });
  const at = timestamp(noon);
  return {
    aws,
    /** Sent events. */
    events,
    dynamodb,
    s3,
    addFile: async (fileId: string) => {
      const times = { created_at: at, updated_at: at };
      const file = { file_id: fileId, organisation_id: 'acme', name: 'Orders', sync_enabled: true, ...times };
      await dynamodb.putItem({ TableName: files.ref, ...putNewFile(file) });
    },
    readFile: async (fileId: string) => {
      const read = { TableName: files.ref, ...readFileRequest(fileId) };
      return fileFromItem((await dynamodb.getItem(read)).Item ?? {});
    },
    /** Adds an upload whose URL was issued at noon, for an hour. */
    addUpload: async (uploadId: string, fileId: string) => {
      const put = putIssued({
        upload_id: uploadId,
        file_id: fileId,
        organisation_id: 'acme',
        client_id: 'client',
        key: objectKeyOf(uploadId),
        issued_at: at,
        expires_at: timestamp(new Date(noon.getTime() + 3_600_000)),
      });
      await dynamodb.putItem({ TableName: uploads.ref, ...put });
    },
    readUpload: async (uploadId: string) => {
      const read = { TableName: uploads.ref, ...readUploadRequest(uploadId) };
      return uploadFromItem((await dynamodb.getItem(read)).Item ?? {});
    },
    /** @returns version id of the new object */
    put: async (Key: string, Body: string, Tagging?: string): Promise<string> => {
      const put = { Bucket: bucket.ref, Key, Body, ContentLength: Body.length, Tagging };
      return (await s3.putObject(put)).VersionId ?? '';
    },
  };
}

export type Storage = Awaited<ReturnType<typeof startStorage>>;

/** Sets the variables of a function that records uploads in these resources. */
export function stubRecording({ aws }: Storage): void {
  stubEnvironment(aws, {
    FILES_TABLE_NAME: names.files,
    UPLOADS_TABLE_NAME: names.uploads,
    BUCKET_NAME: names.bucket,
    EVENT_BUS_NAME: names.bus,
    UPLOAD_RECORD_RETENTION_DAYS: 'forever',
    METRICS_NAMESPACE: 'file-sync-test',
  });
}
