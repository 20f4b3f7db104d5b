import { isIdentifier } from '../../contract/identifiers.ts';
import { type Timestamp, timestamp } from '../../storage/attributes.ts';
import {
  type IssuedUpload,
  readUpload,
  type Upload as StoredUpload,
  storedUploadStates,
  uploadFromItem,
  uploadsTable,
} from '../../storage/upload.ts';
import { CommandError, isTransient, reasonOf, systemCode } from '../errors.ts';
import { quoted } from '../text.ts';
import { dynamoDBClient } from './aws-clients.ts';
import type { Deployment } from './deployment.ts';
import { readItem } from './tables.ts';

/** States as people see them. `expired` is an issued upload whose URL has ended; it is never stored. */
export const uploadStates = [...storedUploadStates, 'expired'] as const;

export type UploadState = (typeof uploadStates)[number];

/** An upload as the command line tells of it. */
export type Upload = StoredUpload | (Omit<IssuedUpload, 'state'> & { readonly state: 'expired' });

function withExpiry(upload: StoredUpload, now: Timestamp): Upload {
  return upload.state === 'issued' && upload.expires_at <= now ? { ...upload, state: 'expired' } : upload;
}

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
      // The sort key is the upload id, whose order is the order of issue.
      ScanIndexForward: false,
      ...(Number.isFinite(limit) && { Limit: limit }),
    },
  );
  for await (const { Items = [] } of pages) {
    uploads.push(...Items.map((item) => withExpiry(uploadFromItem(item), now)));
    if (uploads.length >= limit) break;
  }
  return uploads.slice(0, limit);
}

/** @throws {CommandError} when there is no upload with this id */
export async function getUpload(deployment: Deployment, uploadId: string): Promise<Upload> {
  if (!isIdentifier(uploadId)) {
    throw noSuchUpload(uploadId);
  }
  const item = await readItem(deployment, 'UploadsTableName', readUpload(uploadId));
  if (item === undefined) {
    throw noSuchUpload(uploadId);
  }
  return withExpiry(uploadFromItem(item), timestamp(new Date()));
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
