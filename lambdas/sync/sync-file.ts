import type { ApiEndpoint } from '../shared/api-endpoint.ts';
import { ApiError } from '../shared/api-error.ts';
import { identifierPattern } from '../shared/contract.ts';
import { type FileSyncUploadUrl, syncAnswers } from '../shared/schemas.ts';
import { issueUploadUrl, type UploadUrlDependencies } from './issue-upload-url.ts';

/** What `sync` needs to know of a file. */
export interface SyncFile {
  readonly organisationId: string;
  readonly syncEnabled: boolean;
}

export interface SyncDependencies extends UploadUrlDependencies {
  readonly readFile: (fileId: string) => Promise<SyncFile | undefined>;
}

/** Issues an upload URL for a file of the caller's organisation that has syncing enabled; a body is ignored. */
export function createSyncEndpoint(dependencies: SyncDependencies): ApiEndpoint<FileSyncUploadUrl> {
  return {
    requiredScope: 'sync:create',
    answers: syncAnswers,
    act: async ({ clientId, organisationId }, event, signal) => {
      const fileId = event.pathParameters?.fileId ?? '';
      // An id that no file can have costs no read, and says no more than any other unknown one.
      const file = identifierPattern.test(fileId) ? await dependencies.readFile(fileId) : undefined;
      if (file === undefined || file.organisationId !== organisationId) {
        throw ApiError.fileNotFound();
      }
      if (!file.syncEnabled) {
        throw ApiError.syncNotEnabled();
      }
      const uploadUrl = await issueUploadUrl({ fileId, organisationId, clientId }, dependencies, signal);
      return { data: { upload_url: uploadUrl } };
    },
  };
}
