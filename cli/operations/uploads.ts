import { type Timestamp, timestamp } from '../../storage/attributes.ts';
import {
  type IssuedUpload,
  readUpload,
  type Upload as StoredUpload,
  storedUploadStates,
  uploadFromItem,
  uploadsTable,
} from '../../storage/upload.ts';
import { dynamoDBClient } from '../deployment/aws-clients.ts';
import type { Deployment } from '../deployment/deployment.ts';
import { notFound, readItem, requireIdentifier } from './tables.ts';

/** The stored states, and `expired`: an issued upload whose URL has expired. `expired` is never stored. */
export const uploadStates = [...storedUploadStates, 'expired'] as const;

export type UploadState = (typeof uploadStates)[number];

/** An upload, as stored or `expired`. */
export type Upload = StoredUpload | (Omit<IssuedUpload, 'state'> & { readonly state: 'expired' });

function withExpiry(upload: StoredUpload, now: Timestamp): Upload {
  return upload.state === 'issued' && upload.expires_at <= now ? { ...upload, state: 'expired' } : upload;
}

/** Selects the uploads of one file, or of one organisation. */
export type UploadSelection = { readonly fileId: string } | { readonly organisationId: string };

/**
 * Lists uploads, newest first.
 *
 * @param limit the maximum number of uploads; default: all
 */
export async function listUploads(
  deployment: Deployment,
  selection: UploadSelection,
  limit = Number.POSITIVE_INFINITY,
): Promise<readonly Upload[]> {
  const { paginateQuery } = await import('@aws-sdk/client-dynamodb');
  const client = await dynamoDBClient(deployment);
  const [byFile, byOrganisation] = uploadsTable.indexes;
  const [index, value] =
    'fileId' in selection ? [byFile, selection.fileId] : [byOrganisation, selection.organisationId];
  const now = timestamp(new Date());
  const uploads: Upload[] = [];
  const pages = paginateQuery(
    { client },
    {
      TableName: deployment.outputs.UploadsTableName,
      IndexName: index.name,
      KeyConditionExpression: '#key = :value',
      ExpressionAttributeNames: { '#key': index.partitionKey },
      ExpressionAttributeValues: { ':value': { S: value } },
      // The sort key is the upload id, a UUIDv7: its order is the order of issue.
      ScanIndexForward: false,
      ...(Number.isFinite(limit) && { Limit: limit }),
    },
  );
  for await (const { Items = [] } of pages) {
    uploads.push(...Items.map((item) => withExpiry(uploadFromItem(item), now)));
    if (uploads.length >= limit) {
      break;
    }
  }
  return uploads.slice(0, limit);
}

/** @throws {CommandError} when there is no upload with this id */
export async function getUpload(deployment: Deployment, uploadId: string): Promise<Upload> {
  requireIdentifier('upload', uploadId);
  const item = await readItem(deployment, 'UploadsTableName', readUpload(uploadId));
  if (item === undefined) {
    throw notFound('upload', uploadId);
  }
  return withExpiry(uploadFromItem(item), timestamp(new Date()));
}
