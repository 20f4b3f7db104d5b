import { type FileSyncUploadUrl, syncAnswers } from '../../contract/bodies.ts';
import { isIdentifier } from '../../contract/identifiers.ts';
import type { ApiEndpoint } from '../shared/api-endpoint.ts';
import { ApiError } from '../shared/api-error.ts';
import { issueUploadUrl, type UploadUrlDependencies } from './issue-upload-url.ts';
import type { ReadFileAccess } from './tables.ts';

export interface SyncDependencies extends UploadUrlDependencies {
  readonly readFileAccess: ReadFileAccess;
}

/** Issues an upload URL for a file of the caller's organisation that has syncing enabled. A body is ignored. */
export function createSyncEndpoint(dependencies: SyncDependencies): ApiEndpoint<FileSyncUploadUrl> {
  return {
    requiredScope: 'sync:create',
    answers: syncAnswers,
    act: async ({ clientId, organisationId }, event, deadline) => {
      // Stryker disable next-line StringLiteral: the other text is no identifier either
      const fileId = event.pathParameters?.fileId ?? '';
      // An id that no file can have is answered like an unknown one, without a read.
      const file = isIdentifier(fileId) ? await dependencies.readFileAccess(fileId) : undefined;
      if (file === undefined || file.deleted_at !== undefined || file.organisation_id !== organisationId) {
        throw ApiError.fileNotFound();
      }
      if (!file.sync_enabled) {
        throw ApiError.syncNotEnabled();
      }
      const uploadUrl = await issueUploadUrl(
        { fileId, organisationId, clientId },
        dependencies,
        deadline.signal,
      );
      return { data: { upload_url: uploadUrl } };
    },
  };
}
