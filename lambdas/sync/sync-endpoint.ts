import { type FileSyncUploadUrl, syncResponses } from '../../contract/bodies/sync.ts';
import { isIdentifier } from '../../contract/identifiers.ts';
import type { ApiEndpoint } from '../shared/http/api-endpoint.ts';
import { ApiError } from '../shared/http/api-error.ts';
import type { Log } from '../shared/log/log.ts';
import type { ReadFileAccess } from './file-and-upload-tables.ts';
import { issueUploadUrl, type UploadUrlDependencies } from './issue-upload-url.ts';

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
    act: async ({ clientId, organisationId, allowFrom }, event, deadline) => {
      // Stryker disable next-line StringLiteral: the other text is no identifier either
      const fileId = event.pathParameters?.fileId ?? '';
      await requireSyncable(fileId, organisationId, dependencies);
      const { requestId, http } = event.requestContext;
      const ids = {
        request_id: requestId,
        client_id: clientId,
        organisation_id: organisationId,
        file_id: fileId,
      };
      const order = { ...ids, ...(http?.sourceIp && { requested_from: http.sourceIp }) };
      const { uploadId, uploadUrl } = await issueUploadUrl(order, allowFrom, dependencies, deadline.signal);
      // After the deadline the client gets a 500 and no URL, so the log must not report an issued URL.
      deadline.signal.throwIfAborted();
      dependencies.log('INFO', 'uploadUrlIssued', { ...ids, upload_id: uploadId }, { SyncsIssued: 1 });
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
