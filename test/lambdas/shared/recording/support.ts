import { DynamoDBClient, GetItemCommand, PutItemCommand } from '@aws-sdk/client-dynamodb';
import { GetObjectCommand, PutObjectCommand, S3Client } from '@aws-sdk/client-s3';
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

/** Starts the two tables and the bucket that recording requires, in DynamoDB and S3. */
export async function startStorage() {
  const runs = await prepareRuns([files, uploads, bucket, bus]);
  const events: BusEvent[] = [];
  const aws = await runs.start({ onEvent: async ({ event }) => void events.push(event) });
  const dynamodb = new DynamoDBClient(clientFor(aws));
  // As with an upload URL, the client does not send its own checksum.
  const s3 = new S3Client({
    ...clientFor(aws),
    forcePathStyle: true,
    requestChecksumCalculation: 'WHEN_REQUIRED',
  });
  const at = (Key: string, VersionId?: string) => ({ Bucket: bucket.ref, Key, VersionId });
  return {
    aws,
    /** Sent events. */
    events,
    dynamodb,
    s3,
    addFile: async (fileId: string) => {
      const at = timestamp(noon);
      const times = { created_at: at, updated_at: at };
      const file = { file_id: fileId, organisation_id: 'acme', name: 'Orders', sync_enabled: true, ...times };
      const put = putNewFile(file);
      await dynamodb.send(new PutItemCommand({ TableName: files.ref, ...put }));
    },
    readFile: async (fileId: string) => {
      const read = new GetItemCommand({ TableName: files.ref, ...readFileRequest(fileId) });
      return fileFromItem((await dynamodb.send(read)).Item ?? {});
    },
    /** Adds an upload whose URL was issued at noon, for an hour. */
    addUpload: async (uploadId: string, fileId: string) => {
      const put = putIssued({
        upload_id: uploadId,
        file_id: fileId,
        organisation_id: 'acme',
        client_id: 'client',
        key: objectKeyOf(uploadId),
        issued_at: timestamp(noon),
        expires_at: timestamp(new Date(noon.getTime() + 3_600_000)),
      });
      await dynamodb.send(new PutItemCommand({ TableName: uploads.ref, ...put }));
    },
    readUpload: async (uploadId: string) => {
      const read = new GetItemCommand({ TableName: uploads.ref, ...readUploadRequest(uploadId) });
      return uploadFromItem((await dynamodb.send(read)).Item ?? {});
    },
    /** @returns version id of the new object */
    put: async (key: string, text: string, tags?: string): Promise<string> => {
      const put = new PutObjectCommand({
        ...at(key),
        Body: text,
        ContentLength: Buffer.byteLength(text),
        Tagging: tags,
      });
      return (await s3.send(put)).VersionId ?? '';
    },
    /** Reads the text of a version, or of the latest one. */
    read: async (key: string, versionId?: string) => {
      const { Body } = await s3.send(new GetObjectCommand(at(key, versionId)));
      return { text: await Body?.transformToString() };
    },
    end: async () => {
      dynamodb.destroy();
      s3.destroy();
      await runs.end();
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
