import { setTimeout as wait } from 'node:timers/promises';
import { createRequestUploadUrl, type Settings } from './service.ts';
import type { UploadSource } from './source.ts';
import { type UploadOptions, type UploadResult, uploadFile } from './upload.ts';

export type { FileSyncError, FileSyncErrorCode } from './errors.ts';
export type { StreamSource, UploadSource } from './source.ts';
export type { UploadOptions, UploadResult } from './upload.ts';

export interface FileSyncClientOptions extends Settings {
  /** Sleep function. Default: a real wait. For tests. */
  readonly sleep?: ((milliseconds: number, signal: AbortSignal | undefined) => Promise<unknown>) | undefined;
}

export interface FileSyncClient {
  /**
   * Replaces the content of a file of the service. Retries what may pass, each time with a new upload URL.
   *
   * @throws {FileSyncError}
   */
  readonly uploadFile: (
    fileId: string,
    source: UploadSource,
    options?: UploadOptions,
  ) => Promise<UploadResult>;
}

/**
 * Creates a client, which keeps its access token for all its uploads.
 *
 * @example
 * const client = createFileSyncClient({ baseUrl, clientId, clientSecret });
 * await client.uploadFile('orders', 'exports/orders.csv', { signal: AbortSignal.timeout(600_000) });
 *
 * @throws {FileSyncError} if the base URL is invalid
 */
export function createFileSyncClient(options: FileSyncClientOptions): FileSyncClient {
  const sleep =
    options.sleep ??
    ((milliseconds: number, signal: AbortSignal | undefined) =>
      wait(milliseconds, undefined, signal && { signal }));
  const requestUploadUrl = createRequestUploadUrl(options);
  return {
    uploadFile: (fileId, source, choices = {}) =>
      uploadFile({ ...choices, requestUploadUrl, fileId, source, sleep }),
  };
}
