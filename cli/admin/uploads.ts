import { CommandError, isTransient, reasonOf, systemCode } from '../errors.ts';
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

export interface WatchOptions {
  /** Told of the upload at first and at each change of its state. */
  readonly changed: (upload: Upload) => void;
  /** Told once when AWS stops answering, and why. */
  readonly unreachable: (reason: string) => void;
  /** Waits between two looks. */
  readonly pause: () => Promise<unknown>;
  /** For how long AWS may be unreachable. */
  readonly patienceMilliseconds: number;
  /** Milliseconds; only differences count. */
  readonly now: () => number;
}

/**
 * Follows an upload until it ends, that is, until it is no longer `issued`.
 *
 * @throws {CommandError} when there is no upload with this id, or AWS stayed unreachable
 */
export async function watchUpload(
  deployment: Deployment,
  uploadId: string,
  options: WatchOptions,
): Promise<Upload> {
  // Whoever cannot reach AWS at all wants to hear it at once.
  let upload = await getUpload(deployment, uploadId);
  options.changed(upload);
  while (upload.state === 'issued') {
    await options.pause();
    const next = await getUploadPatiently(deployment, uploadId, options);
    if (next.state !== upload.state) options.changed(next);
    upload = next;
  }
  return upload;
}

/** A watch may last an hour, and AWS, or the way to it, may be gone for some seconds of that. */
async function getUploadPatiently(
  deployment: Deployment,
  uploadId: string,
  { unreachable, pause, patienceMilliseconds, now }: WatchOptions,
): Promise<Upload> {
  let since: number | undefined;
  for (;;) {
    try {
      return await getUpload(deployment, uploadId);
    } catch (error) {
      if (!isUnreachable(error)) throw error;
      if (since === undefined) unreachable(whyUnreachable(error));
      since ??= now();
      if (now() - since >= patienceMilliseconds) throw stillUnreachable(error, patienceMilliseconds);
      await pause();
    }
  }
}

/** The name was found before, so that one that is not is an outage, too. */
function isUnreachable(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  return isTransient(error) || error.name === 'TimeoutError' || systemCode(error) === 'ENOTFOUND';
}

/** The SDK's own time limits have no code, and a text that names its parts. */
function whyUnreachable(error: unknown): string {
  return systemCode(error) === undefined ? 'nothing came back in time' : reasonOf(error);
}

function stillUnreachable(error: unknown, patienceMilliseconds: number): CommandError {
  return new CommandError(
    `AWS did not answer for ${patienceMilliseconds / 1000} s: ${whyUnreachable(error)}. ` +
      'The upload was still issued when it last did: run the command again when AWS can be reached.',
  );
}

function noSuchUpload(uploadId: string): CommandError {
  return new CommandError(`There is no upload ${quoted(uploadId)}.`);
}
