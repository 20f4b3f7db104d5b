import { CommandError } from '../errors.ts';
import { isIdentifier } from '../identifiers.ts';
import { quoted } from '../text.ts';
import { dynamoDBClient } from './aws-clients.ts';
import type { Deployment } from './deployment.ts';
import { timestamp } from './items.ts';
import { type Upload, uploadFromItem } from './upload-item.ts';

/** Whose uploads are meant: those for one file, or of one organisation. */
export type UploadSelection = { readonly fileId: string } | { readonly organisationId: string };

/**
 * The uploads, the one issued last first.
 *
 * @param limit at most so many; default all
 */
export async function listUploads(
  deployment: Deployment,
  selection: UploadSelection,
  limit = Number.POSITIVE_INFINITY,
): Promise<readonly Upload[]> {
  const { paginateQuery } = await import('@aws-sdk/client-dynamodb');
  const client = await dynamoDBClient(deployment);
  const [index, key, value] =
    'fileId' in selection
      ? ['by-file', 'file_id', selection.fileId]
      : ['by-organisation', 'organisation_id', selection.organisationId];
  const now = timestamp(new Date());
  const uploads: Upload[] = [];
  const pages = paginateQuery(
    { client },
    {
      TableName: deployment.outputs.UploadsTableName,
      IndexName: index,
      KeyConditionExpression: '#key = :value',
      ExpressionAttributeNames: { '#key': key },
      ExpressionAttributeValues: { ':value': { S: value } },
      // The sort key is the upload id, whose order is the order of issue.
      ScanIndexForward: false,
      ...(Number.isFinite(limit) && { Limit: limit }),
    },
  );
  for await (const { Items = [] } of pages) {
    uploads.push(...Items.map((item) => uploadFromItem(item, now)));
    if (uploads.length >= limit) break;
  }
  return uploads.slice(0, limit);
}

/** @throws {CommandError} when there is no upload with this id */
export async function getUpload(deployment: Deployment, uploadId: string): Promise<Upload> {
  if (!isIdentifier(uploadId)) throw noSuchUpload(uploadId);
  const { GetItemCommand } = await import('@aws-sdk/client-dynamodb');
  const database = await dynamoDBClient(deployment);
  const { Item } = await database.send(
    new GetItemCommand({
      TableName: deployment.outputs.UploadsTableName,
      Key: { upload_id: { S: uploadId } },
      ConsistentRead: true,
    }),
  );
  if (Item === undefined) throw noSuchUpload(uploadId);
  return uploadFromItem(Item, timestamp(new Date()));
}

/**
 * Follows an upload until it ends, that is, until it is no longer `issued`.
 *
 * @param changed is told of the upload at first and at each change of its state
 */
export async function watchUpload(
  deployment: Deployment,
  uploadId: string,
  changed: (upload: Upload) => void,
  pause: () => Promise<void>,
): Promise<Upload> {
  let upload = await getUpload(deployment, uploadId);
  changed(upload);
  while (upload.state === 'issued') {
    await pause();
    const next = await getUpload(deployment, uploadId);
    if (next.state !== upload.state) changed(next);
    upload = next;
  }
  return upload;
}

function noSuchUpload(uploadId: string): CommandError {
  return new CommandError(`There is no upload ${quoted(uploadId)}.`);
}
