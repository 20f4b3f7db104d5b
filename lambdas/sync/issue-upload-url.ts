import { timestamp } from '../../storage/attributes.ts';
import { objectKeyOf } from '../../storage/object-key.ts';
import type { NewUpload } from '../../storage/upload.ts';
import type { createAssumeUploadSigner, UploadSignerCredentials } from './assume-upload-signer.ts';
import type { RecordIssued } from './file-and-upload-tables.ts';

/** The file of an upload URL, and the request for it. */
type UploadOrder = Omit<NewUpload, 'upload_id' | 'key' | 'issued_at' | 'expires_at'>;

export interface UploadUrlDependencies {
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  /** Creates a UUIDv7: upload ids sort in the order of issue. */
  readonly newUploadId: () => string;
  readonly assumeUploadSigner: ReturnType<typeof createAssumeUploadSigner>;
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
 *
 * @param allowFrom ranges of IP addresses from which the URL may be used. Undefined: every address
 */
export async function issueUploadUrl(
  order: UploadOrder,
  allowFrom: readonly string[] | undefined,
  dependencies: UploadUrlDependencies,
  signal: AbortSignal,
): Promise<{ readonly uploadId: string; readonly uploadUrl: string }> {
  const { now, newUploadId, assumeUploadSigner, presign, recordIssued, lifetimeSeconds } = dependencies;
  const issuedAt = new Date(Math.floor(now() / 1000) * 1000);
  const expiresAt = new Date(issuedAt.getTime() + lifetimeSeconds * 1000);
  const uploadId = newUploadId();
  const key = objectKeyOf(uploadId);

  const credentials = await assumeUploadSigner(uploadId, key, allowFrom);
  const uploadUrl = await presign(key, credentials, issuedAt);
  signal.throwIfAborted();
  const upload = {
    upload_id: uploadId,
    ...order,
    key,
    issued_at: timestamp(issuedAt),
    expires_at: timestamp(expiresAt),
  };
  await recordIssued(upload, signal);
  return { uploadId, uploadUrl };
}
