import { daysAfter, type Timestamp, timestamp } from '../../storage/attributes.ts';
import { updateClientDeleteAfter, updateToDeletedClient } from '../../storage/client.ts';
import { updateFileDeleteAfter, updateToDeletedFile } from '../../storage/file.ts';
import { tombstoneObject } from '../../storage/tombstone.ts';
import { updateToDeletedUpload } from '../../storage/upload.ts';
import { type CancelAttempt, tryToCancel } from './cancel-upload.ts';
import { type Client, clientOf, getClient, listClients } from './clients.ts';
import {
  closeUpload,
  type FailedUpload,
  forEachUpload,
  isOpen,
  openUploads,
  type WorkOptions,
  waitForLastIssue,
} from './close-uploads.ts';
import { s3Client } from './deployment/aws-clients.ts';
import type { Deployment } from './deployment/deployment.ts';
import { OperationError } from './errors.ts';
import { type File, fileOf, listFiles } from './files.ts';
import { allOf, type Pages } from './lists.ts';
import { parseNewIdentifier } from './parse-input.ts';
import { notFound, updateItem } from './tables.ts';
import { quoted } from './text.ts';
import { listUploads, type Upload, type UploadSelection } from './uploads.ts';

// Deletions of clients, files and organisations. Each marks first, so that nothing new begins, and writes the end of the
// record last, which says that nothing is left to do. So each can be repeated after a crash at any point.

/** What a deletion would remove. */
export interface UploadTotals {
  /** Upload records. */
  readonly uploads: number;
  /** Upload URLs through which bytes may still arrive. */
  readonly outstanding: number;
  /** Content that is still stored, replaced content included. */
  readonly bytes: number;
  /** Whether counting was stopped: there are at least so many. */
  readonly partial?: true;
}

export interface CountOptions {
  /** Milliseconds since the epoch. */
  readonly now: number;
  /** Called with the number of uploads that were counted so far. */
  readonly progress: (done: number) => void;
  /** Whether that is enough: it is asked after each page. Default: all are counted. */
  readonly isTimeUp?: () => boolean;
}

/** Counts the uploads of a file, or of an organisation. They are read page by page. */
export async function countUploads(
  deployment: Deployment,
  selection: UploadSelection,
  { now, progress, isTimeUp = () => false }: CountOptions,
): Promise<UploadTotals> {
  const keptSince = daysAfter(timestamp(new Date(now)), -Number(deployment.outputs.SupersededRetentionDays));
  const totals = { uploads: 0, outstanding: 0, bytes: 0 };
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
      return { ...totals, partial: true };
    }
  }
  return totals;
}

/** When what is deleted now may go: after the retention time of replaced content. */
function endOfRetention({ outputs }: Deployment, now: number): Timestamp {
  return daysAfter(timestamp(new Date(now)), Number(outputs.SupersededRetentionDays));
}

/** What the deletion of a client would end. */
export interface ClientDeletionPlan {
  readonly client: Client;
  /** Upload URLs through which bytes may still arrive. */
  readonly outstanding: number;
}

/** @throws {OperationError} when there is no such client */
export async function planClientDeletion(
  deployment: Deployment,
  clientId: string,
  now: number,
): Promise<ClientDeletionPlan> {
  const client = await getClient(deployment, clientId);
  const open = await allOf(openUploads(deployment, uploadsOf(client), now));
  return { client, outstanding: open.length };
}

function uploadsOf({ client_id, organisation_id }: Client): UploadSelection {
  return { organisationId: organisation_id, clientId: client_id };
}

/** What became of the uploads. With any that failed, nothing has its end yet: the deletion must be repeated. */
interface UploadsDeleted {
  readonly uploads: number;
  /** Upload URLs that were ended. */
  readonly cancelled: number;
  readonly failed: readonly FailedUpload[];
}

/**
 * Deletes a client: no token from now on, then no upload URL, then its record gets its end. Repeated later, it ends URLs
 * that a token issued before has asked for since.
 *
 * @throws {OperationError} when there is no such client
 */
export async function deleteClient(
  deployment: Deployment,
  clientId: string,
  { now, progress }: WorkOptions,
): Promise<Omit<UploadsDeleted, 'uploads'> & { readonly client: Client }> {
  const client = await markClientDeleted(deployment, clientId, now());
  const open = openUploads(deployment, uploadsOf(client), now());
  const close = (upload: Upload) => closeUpload(deployment, upload);
  const { cancelled, failed } = await forEachUpload(open, progress, close);
  const ended = failed.length > 0 ? client : await finishClient(deployment, client, now());
  return { client: ended, cancelled, failed };
}

async function markClientDeleted(deployment: Deployment, clientId: string, now: number): Promise<Client> {
  const update = updateToDeletedClient(clientId, timestamp(new Date(now)));
  const item = await updateItem(deployment, 'ClientsTableName', update);
  if (item === 'refused') {
    throw notFound('client', clientId);
  }
  return clientOf(item);
}

/** Lets the record of a deleted client go. A repeated deletion does not put that off. */
async function finishClient(deployment: Deployment, client: Client, now: number): Promise<Client> {
  if (client.delete_after !== undefined) {
    return client;
  }
  const update = updateClientDeleteAfter(client.client_id, endOfRetention(deployment, now));
  const item = await updateItem(deployment, 'ClientsTableName', update);
  return item === 'refused' ? client : clientOf(item);
}

/**
 * Deletes a file. When it is marked, clients get 404 and what arrives is discarded. Then every upload ends, and then the
 * file.
 *
 * @throws {OperationError} when there is no such file
 */
export async function deleteFile(
  deployment: Deployment,
  fileId: string,
  options: WorkOptions,
): Promise<UploadsDeleted & { readonly file: File }> {
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
): Promise<UploadsDeleted & { readonly file: File }> {
  const left = withoutDeleted(listUploads(deployment, { fileId: file.file_id }));
  const { uploads, cancelled, failed } = await forEachUpload(left, progress, (upload) =>
    deleteUpload(deployment, upload, now()),
  );
  if (failed.length > 0) {
    return { file, uploads, cancelled, failed };
  }
  const update = updateFileDeleteAfter(file.file_id, endOfRetention(deployment, now()));
  const item = await updateItem(deployment, 'FilesTableName', update);
  return { file: item === 'refused' ? file : fileOf(item), uploads, cancelled, failed };
}

async function* withoutDeleted(pages: Pages<Upload>): Pages<Upload> {
  for await (const page of pages) {
    yield page.filter(({ deleted_at }) => deleted_at === undefined);
  }
}

/**
 * How long a record outlives its URL, at least. A PUT that began before the URL expired may end 24 hours later: what arrives
 * must be known as that of a deleted file. And replaced content is deleted after that, when its upload is due.
 */
const latestArrivalMilliseconds = 26 * 3_600_000;

/** The content gets its tombstone before the record is marked: a crash between the two leaves the upload to the next run. */
async function deleteUpload(
  deployment: Deployment,
  upload: Upload,
  now: number,
): Promise<'cancelled' | 'other'> {
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
  return attempt.outcome === 'cancelled' ? 'cancelled' : 'other';
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

/** What the deletion of an organisation would remove. */
export interface OrganisationDeletionPlan {
  readonly organisationId: string;
  readonly clients: number;
  readonly files: number;
  readonly totals: UploadTotals;
}

/**
 * Counts what an organisation has.
 *
 * @returns `deleted` when everything of it is deleted already
 *
 * @throws {OperationError} when it is not an id, or there is no client and no file of it
 */
export async function planOrganisationDeletion(
  deployment: Deployment,
  organisationId: string,
  options: CountOptions,
): Promise<OrganisationDeletionPlan | 'deleted'> {
  parseNewIdentifier(organisationId, 'organisation');
  const clients = await allOf(clientsOf(deployment, organisationId));
  const files = await allOf(filesOf(deployment, organisationId));
  if (clients.length + files.length === 0) {
    throw new OperationError(
      'not found',
      `There is no client and no file of organisation ${quoted(organisationId)}.`,
    );
  }
  if (![...clients, ...files].some(isLeft)) {
    return 'deleted';
  }
  const totals = await countUploads(deployment, { organisationId }, options);
  return { organisationId, clients: clients.length, files: files.length, totals };
}

/** Deletes everything of an organisation. All clients and files are marked first. Those that have their end are left out. */
export async function deleteOrganisation(
  deployment: Deployment,
  organisationId: string,
  options: WorkOptions,
): Promise<UploadsDeleted & { readonly clients: number; readonly files: number }> {
  const clients: Client[] = [];
  for (const { client_id } of (await allOf(clientsOf(deployment, organisationId))).filter(isLeft)) {
    clients.push(await markClientDeleted(deployment, client_id, options.now()));
  }
  const files: Awaited<ReturnType<typeof markFileDeleted>>[] = [];
  for (const { file_id } of (await allOf(filesOf(deployment, organisationId))).filter(isLeft)) {
    files.push(await markFileDeleted(deployment, file_id, options.now()));
  }
  const last = files
    .map(({ deleted_at }) => deleted_at)
    .sort()
    .at(-1);
  if (last !== undefined) {
    await waitForLastIssue(last, options);
  }
  const done = { clients: 0, files: 0, uploads: 0, cancelled: 0 };
  const allFailed: FailedUpload[] = [];
  for (const file of files) {
    const progress = (uploads: number) => options.progress(done.uploads + uploads);
    const { uploads, cancelled, failed } = await finishFile(deployment, file, { ...options, progress });
    done.files += failed.length === 0 ? 1 : 0;
    done.uploads += uploads;
    done.cancelled += cancelled;
    allFailed.push(...failed);
  }
  if (allFailed.length === 0) {
    for (const client of clients) {
      await finishClient(deployment, client, options.now());
      done.clients += 1;
    }
  }
  return { ...done, failed: allFailed };
}

function clientsOf(deployment: Deployment, organisationId: string): Pages<Client> {
  return listClients(deployment, { organisationId, status: 'any' });
}

function filesOf(deployment: Deployment, organisationId: string): Pages<File> {
  return listFiles(deployment, { organisationId, status: 'any' });
}

/** Whether something is not deleted, or its deletion is not complete. */
function isLeft({ delete_after }: { readonly delete_after?: string }): boolean {
  return delete_after === undefined;
}
