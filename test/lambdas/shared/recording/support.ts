import { later, timestamp } from '../../../../storage/attributes.ts';
import { fileFromItem, readFileRequest } from '../../../../storage/file.ts';
import { readUploadRequest, uploadFromItem } from '../../../../storage/upload.ts';
import { dynamoDBClient, s3Client } from '../../../../tools/operator/deployment/aws-clients.ts';
import { createFile } from '../../../../tools/operator/files/file.ts';
import { outputs, startAws } from '../../../support/aws.ts';
import { noon } from '../../../support/signing-keys.ts';
import { stubEnvironment } from '../../support/environment.ts';
import { issuedItem } from './fake-store.ts';

export const names = {
  files: outputs.FilesTableName,
  uploads: outputs.UploadsTableName,
  bucket: outputs.BucketName,
  bus: outputs.EventBusName,
};

/** Starts the resources that recording requires, until the end of the file or test. */
export async function startStorage() {
  const aws = await startAws();
  const [dynamodb, s3] = [await dynamoDBClient(aws.deployment), await s3Client(aws.deployment)];
  return {
    ...aws,
    dynamodb,
    s3,
    addFile: (fileId: string) =>
      createFile(aws.deployment, { organisationId: 'acme', name: 'Orders', syncEnabled: true, fileId }),
    readFile: async (fileId: string) => {
      const read = { TableName: names.files, ...readFileRequest(fileId) };
      return fileFromItem((await dynamodb.getItem(read)).Item ?? {});
    },
    /** Adds an upload whose URL was issued at noon, for an hour. */
    addUpload: async (uploadId: string, fileId: string) => {
      const Item = issuedItem(uploadId, fileId, later(timestamp(noon), 3_600_000));
      await dynamodb.putItem({ TableName: names.uploads, Item });
    },
    readUpload: async (uploadId: string) => {
      const read = { TableName: names.uploads, ...readUploadRequest(uploadId) };
      return uploadFromItem((await dynamodb.getItem(read)).Item ?? {});
    },
  };
}

type Storage = Awaited<ReturnType<typeof startStorage>>;

/** Sets the variables of a function that records uploads in these resources. */
export function stubRecording(storage: Storage): void {
  stubEnvironment(storage, {
    FILES_TABLE_NAME: names.files,
    UPLOADS_TABLE_NAME: names.uploads,
    BUCKET_NAME: names.bucket,
    EVENT_BUS_NAME: names.bus,
    UPLOAD_RECORD_RETENTION_DAYS: 'forever',
    METRICS_NAMESPACE: 'file-sync-test',
  });
}
