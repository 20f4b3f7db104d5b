import { daysAfter, type Timestamp, timestamp } from '../../../storage/attributes.ts';
import { updateClientDeleteAfter, updateToDeletedClient } from '../../../storage/client.ts';
import { updateFileDeleteAfter, updateToDeletedFile } from '../../../storage/file.ts';
import { tombstoneObject } from '../../../storage/tombstone.ts';
import { updateToDeletedUpload } from '../../../storage/upload.ts';
import { type Client, clientOf, getClient, listClients } from '../clients/client.ts';
import { s3Client } from '../deployment/aws-clients.ts';
import type { Deployment } from '../deployment/deployment.ts';
import { notFound, updateItem } from '../deployment/items.ts';
import { OperationError } from '../errors.ts';
import { type File, fileOf, getFile, listFiles } from '../files/file.ts';
import { allOf } from '../lists/list.ts';
import { parseNewIdentifier } from '../parse-input.ts';
import { counted, formatBytes, printable, quoted } from '../text.ts';
import { type CancelAttempt, tryToCancel } from '../uploads/cancel.ts';
import {
  closeUpload,
  forEachUpload,
  isOpen,
  openUploads,
  type WorkOptions,
  type WorkReport,
  waitForLastIssue,
} from '../uploads/outstanding.ts';
import { listUploads, type Upload, type UploadSelection } from '../uploads/upload.ts';

// Deletions of clients, files and organisations. Each marks first, so that nothing new begins, and writes the end of the
// record last, which says that nothing is left to do. So each can be repeated after a crash at any point.

/** A deletion that was looked into. */
export interface Deletion {
  /** What goes, in sentences that people confirm. */
  readonly question: string;
  /** It works on about so many uploads. */
  readonly uploads: number;
  /** @throws {OperationError} when something is left to delete: then it must be repeated */
  readonly run: (options: WorkOptions) => Promise<object & WorkReport>;
}

export interface CountOptions {
  /** Milliseconds since the epoch. */
  readonly now: number;
  /** Called with the number of uploads that were counted so far. */
  readonly progress: (done: number) => void;
  /** Whether that is enough: it is asked after each page. Default: all are counted. */
  readonly isTimeUp?: () => boolean;
}

/**
 * Looks into the deletion of a file.
 *
 * @returns undefined when it is deleted already
 * @throws {OperationError} when there is no such file
 */
export async function planFileDeletion(
  deployment: Deployment,
  fileId: string,
  options: CountOptions,
): Promise<Deletion | undefined> {
  const file = await getFile(deployment, fileId);
  if (!isLeft(file)) {
    return undefined;
  }
  const { uploads, text } = await countUploads(deployment, { fileId }, options);
  return {
    question:
      `This deletes the file ${quoted(fileId)} (${printable(file.name)}) of organisation ${quoted(file.organisation_id)}: ` +
      `${text}. Clients get 404 for it immediately. ${describeRetention(deployment)}`,
    uploads,
    run: (work) => deleteFile(deployment, fileId, work),
  };
}

/**
 * Looks into the deletion of a client.
 *
 * @throws {OperationError} when there is no such client
 */
export async function planClientDeletion(
  deployment: Deployment,
  clientId: string,
  { now }: CountOptions,
): Promise<Deletion> {
  const client = await getClient(deployment, clientId);
  const { organisation_id, name, secrets } = client;
  const { length: outstanding } = await allOf(openUploads(deployment, uploadsOf(client), now));
  return {
    question:
      `This deletes the client ${quoted(clientId)} (${printable(name)}) of organisation ${quoted(organisation_id)}: ` +
      `${counted(secrets.length, 'secret')} and ${describeUrls(outstanding)}. Tokens already issued work until they ` +
      `expire: delete it again then, to end URLs that were asked for with them. ${describeRetention(deployment)}`,
    uploads: outstanding,
    run: (work) => deleteClient(deployment, clientId, work),
  };
}

/**
 * Looks into the deletion of everything that an organisation has.
 *
 * @returns undefined when everything of it is deleted already
 * @throws {OperationError} when it is not an id, or there is no client and no file of it
 */
export async function planOrganisationDeletion(
  deployment: Deployment,
  organisationId: string,
  options: CountOptions,
): Promise<Deletion | undefined> {
  parseNewIdentifier(organisationId, 'organisation');
  const { clients, files } = await everythingOf(deployment, organisationId);
  if (clients.length + files.length === 0) {
    throw new OperationError(
      'not found',
      `There is no client and no file of organisation ${quoted(organisationId)}.`,
    );
  }
  if (![...clients, ...files].some(isLeft)) {
    return undefined;
  }
  const { uploads, text } = await countUploads(deployment, { organisationId }, options);
  return {
    question:
      `This deletes everything of organisation ${quoted(organisationId)}: ${counted(clients.length, 'client')}, ` +
      `${counted(files.length, 'file')}, ${text}. Its clients get no tokens, and 404 for its files. ${describeRetention(deployment)}`,
    uploads,
    run: (work) => deleteOrganisation(deployment, organisationId, work),
  };
}

/** Counts uploads page by page: how many, what is still stored of them, and which URLs may still bring bytes. */
async function countUploads(
  deployment: Deployment,
  selection: UploadSelection,
  { now, progress, isTimeUp = () => false }: CountOptions,
): Promise<{ readonly uploads: number; readonly text: string }> {
  const keptSince = daysAfter(timestamp(new Date(now)), -Number(deployment.outputs.SupersededRetentionDays));
  const totals = { uploads: 0, outstanding: 0, bytes: 0, isPartial: false };
  for await (const page of listUploads(deployment, selection)) {
    for (const upload of page) {
      const isStored =
        upload.state === 'completed' &&
        (upload.superseded_at === undefined || upload.superseded_at > keptSince);
      totals.uploads += 1;
      totals.outstanding += isOpen(upload, now) ? 1 : 0;
      totals.bytes += isStored ? upload.size : 0;
    }
    progress(totals.uploads);
    if (isTimeUp()) {
      totals.isPartial = true;
      break;
    }
  }
  const { uploads, outstanding, bytes, isPartial } = totals;
  const text = `${isPartial ? 'at least ' : ''}${counted(uploads, 'upload')} with ${formatBytes(bytes)} of content, and ${describeUrls(outstanding)}`;
  return { uploads, text };
}

function describeUrls(outstanding: number): string {
  return `${counted(outstanding, 'upload URL')} through which bytes may still arrive`;
}

/** That a deletion is final, and when its records go. */
function describeRetention({ outputs }: Deployment): string {
  const kept = counted(Number(outputs.SupersededRetentionDays), 'day');
  return `This cannot be undone. AWS removes what was deleted after ${kept}.`;
}

/** When what is deleted now may go: after the retention time of replaced content. */
function endOfRetention({ outputs }: Deployment, now: number): Timestamp {
  return daysAfter(timestamp(new Date(now)), Number(outputs.SupersededRetentionDays));
}

function uploadsOf({ client_id, organisation_id }: Client): UploadSelection {
  return { organisationId: organisation_id, clientId: client_id };
}

/**
 * Deletes a client: no token from now on, then no upload URL, then its record gets its end. Repeated later, it ends URLs
 * that a token issued before has asked for since.
 *
 * @throws {OperationError} when there is no such client, or a URL may still work
 */
export async function deleteClient(
  deployment: Deployment,
  clientId: string,
  { now, progress }: WorkOptions,
): Promise<Client & WorkReport> {
  const client = await markClientDeleted(deployment, clientId, now());
  const open = openUploads(deployment, uploadsOf(client), now());
  const report = await forEachUpload(open, progress, (upload) => closeUpload(deployment, upload));
  return { ...(await finishClient(deployment, client, now())), ...report };
}

async function markClientDeleted(deployment: Deployment, clientId: string, now: number): Promise<Client> {
  const update = updateToDeletedClient(clientId, timestamp(new Date(now)));
  const item = await updateItem(deployment, 'ClientsTableName', update);
  if (item === 'refused') {
    throw notFound('client', clientId);
  }
  return clientOf(item);
}

/** Lets the record of a deleted client go. */
async function finishClient(deployment: Deployment, client: Client, now: number): Promise<Client> {
  const update = updateClientDeleteAfter(client.client_id, endOfRetention(deployment, now));
  const item = await updateItem(deployment, 'ClientsTableName', update);
  return item === 'refused' ? client : clientOf(item);
}

/**
 * Deletes a file. When it is marked, clients get 404 and what arrives is discarded. Then every upload ends, and then the
 * file.
 *
 * @throws {OperationError} when there is no such file, or an upload is left
 */
async function deleteFile(
  deployment: Deployment,
  fileId: string,
  options: WorkOptions,
): Promise<File & WorkReport> {
  const file = await markFileDeleted(deployment, fileId, options.now());
  await waitForLastIssue(file.deleted_at, options);
  return finishFile(deployment, file, options);
}

export async function markFileDeleted(
  deployment: Deployment,
  fileId: string,
  now: number,
): Promise<File & { readonly deleted_at: string }> {
  const deletedAt = timestamp(new Date(now));
  const item = await updateItem(deployment, 'FilesTableName', updateToDeletedFile(fileId, deletedAt));
  if (item === 'refused') {
    throw notFound('file', fileId);
  }
  const file = fileOf(item);
  return { ...file, deleted_at: file.deleted_at ?? deletedAt };
}

/** Ends the uploads of a file that is marked, the newest first because their URLs still work, and lets its record go. */
async function finishFile(
  deployment: Deployment,
  file: File,
  { now, progress }: Pick<WorkOptions, 'now' | 'progress'>,
): Promise<File & WorkReport> {
  const uploads = listUploads(deployment, { fileId: file.file_id });
  const report = await forEachUpload(
    uploads,
    progress,
    async (upload) => upload.deleted_at === undefined && deleteUpload(deployment, upload, now()),
  );
  const update = updateFileDeleteAfter(file.file_id, endOfRetention(deployment, now()));
  const item = await updateItem(deployment, 'FilesTableName', update);
  return { ...(item === 'refused' ? file : fileOf(item)), ...report };
}

/**
 * How long a record outlives its URL, at least. A PUT that began before the URL expired may end 24 hours later: what arrives
 * must be known as that of a deleted file. And replaced content is deleted after that, when its upload is due.
 */
const latestArrivalMilliseconds = 26 * 3_600_000;

/**
 * The content gets its tombstone before the record is marked: a crash between the two leaves the upload to the next run.
 *
 * @returns whether its URL was closed
 */
async function deleteUpload(deployment: Deployment, upload: Upload, now: number): Promise<boolean> {
  const attempt: CancelAttempt = isOpen(upload, now)
    ? await tryToCancel(deployment, upload.upload_id)
    : { outcome: 'ended', upload };
  if (await hasContent(deployment, attempt)) {
    await putSupersededTombstone(deployment, upload.key);
  }
  const retention = endOfRetention(deployment, now);
  const arrival = timestamp(new Date(Date.parse(upload.expires_at) + latestArrivalMilliseconds));
  const end = retention > arrival ? retention : arrival;
  const update = updateToDeletedUpload(upload.upload_id, timestamp(new Date(now)), end);
  await updateItem(deployment, 'UploadsTableName', update);
  return attempt.outcome === 'cancelled';
}

/** Bytes whose event was never recorded are content too. */
async function hasContent(deployment: Deployment, { outcome, upload }: CancelAttempt): Promise<boolean> {
  if (outcome !== 'ended') {
    return outcome === 'arrived';
  }
  if (upload.state === 'expired') {
    return objectExists(deployment, upload.key);
  }
  return upload.state === 'completed' && upload.superseded_at === undefined;
}

async function putSupersededTombstone(deployment: Deployment, key: string): Promise<void> {
  const { PutObjectCommand } = await import('@aws-sdk/client-s3');
  const s3 = await s3Client(deployment);
  const tombstone = tombstoneObject(key, 'superseded');
  await s3.send(new PutObjectCommand({ Bucket: deployment.outputs.BucketName, ...tombstone }));
}

/** Needs `s3:ListBucket` as well: without it, S3 answers 403 for a key that is free. */
async function objectExists(deployment: Deployment, key: string): Promise<boolean> {
  const { HeadObjectCommand } = await import('@aws-sdk/client-s3');
  const s3 = await s3Client(deployment);
  try {
    await s3.send(new HeadObjectCommand({ Bucket: deployment.outputs.BucketName, Key: key }));
    return true;
  } catch (error) {
    // The answer to HEAD has no body, so the SDK knows the status only.
    if (error instanceof Error && error.name === 'NotFound') {
      return false;
    }
    throw error;
  }
}

/**
 * Deletes everything of an organisation. All clients and files are marked first. Those that have their end are left out.
 *
 * @throws {OperationError} when an upload is left
 */
export async function deleteOrganisation(
  deployment: Deployment,
  organisationId: string,
  options: WorkOptions,
): Promise<WorkReport & { readonly clients: number; readonly files: number }> {
  const left = await everythingOf(deployment, organisationId);
  const clients: Client[] = [];
  for (const { client_id } of left.clients.filter(isLeft)) {
    clients.push(await markClientDeleted(deployment, client_id, options.now()));
  }
  const files: Awaited<ReturnType<typeof markFileDeleted>>[] = [];
  for (const { file_id } of left.files.filter(isLeft)) {
    files.push(await markFileDeleted(deployment, file_id, options.now()));
  }
  const last = files
    .map(({ deleted_at }) => deleted_at)
    .sort()
    .at(-1);
  if (last !== undefined) {
    await waitForLastIssue(last, options);
  }
  let [uploads, cancelled] = [0, 0];
  for (const file of files) {
    const progress = (done: number) => options.progress(uploads + done);
    const report = await finishFile(deployment, file, { ...options, progress });
    uploads += report.uploads;
    cancelled += report.cancelled;
  }
  for (const client of clients) {
    await finishClient(deployment, client, options.now());
  }
  return { clients: clients.length, files: files.length, uploads, cancelled };
}

async function everythingOf(deployment: Deployment, organisationId: string) {
  const selection = { organisationId, status: 'any' } as const;
  return {
    clients: await allOf(listClients(deployment, selection)),
    files: await allOf(listFiles(deployment, selection)),
  };
}

/** Whether something is not deleted, or its deletion is not complete. */
function isLeft({ delete_after }: { readonly delete_after?: string }): boolean {
  return delete_after === undefined;
}
