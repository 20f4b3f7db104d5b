import { type FileSyncUploadUrl, syncResponses } from '../../contract/bodies/sync.ts';
import { isIdentifier } from '../../contract/identifiers.ts';
import { timestamp } from '../../storage/attributes.ts';
import { objectKeyOf } from '../../storage/object-key.ts';
import type { ApiEndpoint } from '../shared/http/api-endpoint.ts';
import { ApiError } from '../shared/http/api-error.ts';
import type { Log } from '../shared/log/log.ts';
import type { UploadSignerCredentials } from './assume-upload-signer.ts';
import type { ReadFileAccess, RecordIssued } from './file-and-upload-tables.ts';

export interface SyncDependencies extends UploadUrlDependencies {
  readonly readFileAccess: ReadFileAccess;
  readonly log: Log;
}

/**
 * Creates the endpoint that issues an upload URL for a file of the caller's organisation. Syncing must be
 * enabled for the file. A body is ignored.
 */
export function createSyncEndpoint(dependencies: SyncDependencies): ApiEndpoint<FileSyncUploadUrl> {
  return {
    responses: syncResponses,
    rejected: (rejection) => ({ SyncsRejected: 1, Reason: rejection }),
    act: async ({ clientId, organisationId }, event, deadline) => {
      // Stryker disable next-line StringLiteral: the other text is no identifier either
      const fileId = event.pathParameters?.fileId ?? '';
      await requireSyncable(fileId, organisationId, dependencies);
      const { requestId, http } = event.requestContext;
      const order = { fileId, organisationId, clientId, requestId, sourceIp: http?.sourceIp };
      const { uploadId, uploadUrl } = await issueUploadUrl(order, dependencies, deadline.signal);
      // After the deadline the client gets a 500 and no URL, so the log must not report an issued URL.
      deadline.signal.throwIfAborted();
      logIssued(order, uploadId, dependencies);
      return { data: { upload_url: uploadUrl } };
    },
  };
}

/**
 * Requires a file of the caller's organisation with syncing enabled. A suspended file counts as not enabled.
 *
 * @throws {ApiError} if there is no such file, or syncing is not enabled
 */
async function requireSyncable(
  fileId: string,
  organisationId: string,
  { readFileAccess }: SyncDependencies,
): Promise<void> {
  // An id that no file can have gets the response for an unknown id, without a read.
  const file = isIdentifier(fileId) ? await readFileAccess(fileId) : undefined;
  if (file === undefined) {
    throw ApiError.fileNotFound(undefined);
  }
  if (file.deleted_at !== undefined || file.organisation_id !== organisationId) {
    throw ApiError.fileNotFound(fileId);
  }
  if (!file.sync_enabled) {
    throw ApiError.syncNotEnabled(fileId);
  }
  if (file.suspended_at !== undefined) {
    throw ApiError.syncNotEnabled(fileId, 'suspended_file');
  }
}

function logIssued(
  { fileId, organisationId, clientId, requestId }: UploadOrder,
  uploadId: string,
  { log }: SyncDependencies,
): void {
  const fields = {
    request_id: requestId,
    client_id: clientId,
    organisation_id: organisationId,
    file_id: fileId,
    upload_id: uploadId,
  };
  log('INFO', 'uploadUrlIssued', fields, { SyncsIssued: 1 });
}

/** The file of an upload URL, and the client that requested it. */
interface UploadOrder {
  readonly fileId: string;
  readonly organisationId: string;
  readonly clientId: string;
  /** API Gateway's id of the request, by which operators find the request of an upload. */
  readonly requestId: string;
  /** IP address of the client. */
  readonly sourceIp?: string | undefined;
}

interface IssuedUploadUrl {
  readonly uploadId: string;
  readonly uploadUrl: string;
}

interface UploadUrlDependencies {
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  /** Creates a UUIDv7: upload ids sort in the order of issue. */
  readonly newUploadId: () => string;
  readonly assumeUploadSigner: (uploadId: string, key: string) => Promise<UploadSignerCredentials>;
  readonly presign: (key: string, credentials: UploadSignerCredentials, signingDate: Date) => Promise<string>;
  readonly recordIssued: RecordIssued;
  readonly lifetimeSeconds: number;
}

/**
 * Issues one upload URL, signed with credentials for this URL only.
 *
 * Sign, record, then return: every returned URL is recorded, and an aborted request leaves none. If the
 * response to the write is lost, a record without a URL remains. It expires like an unused URL.
 *
 * The URL becomes valid before the credentials do, so the credentials last until the URL expires. The times
 * of signatures are whole seconds, so the start is rounded down.
 */
async function issueUploadUrl(
  order: UploadOrder,
  dependencies: UploadUrlDependencies,
  signal: AbortSignal,
): Promise<IssuedUploadUrl> {
  const { now, newUploadId, assumeUploadSigner, presign, recordIssued, lifetimeSeconds } = dependencies;
  const issuedAt = new Date(Math.floor(now() / 1000) * 1000);
  const expiresAt = new Date(issuedAt.getTime() + lifetimeSeconds * 1000);
  const uploadId = newUploadId();
  const key = objectKeyOf(uploadId);

  const credentials = await assumeUploadSigner(uploadId, key);
  const uploadUrl = await presign(key, credentials, issuedAt);
  signal.throwIfAborted();
  const upload = {
    upload_id: uploadId,
    file_id: order.fileId,
    organisation_id: order.organisationId,
    client_id: order.clientId,
    key,
    issued_at: timestamp(issuedAt),
    expires_at: timestamp(expiresAt),
    request_id: order.requestId,
    ...(order.sourceIp === undefined ? {} : { requested_from: order.sourceIp }),
  };
  await recordIssued(upload, signal);
  return { uploadId, uploadUrl };
}
