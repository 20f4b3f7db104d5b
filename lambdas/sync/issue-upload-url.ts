import type { SignerCredentials } from './assume-signer.ts';

/** For which file, and by whom. */
export interface UploadOrder {
  readonly fileId: string;
  readonly organisationId: string;
  readonly clientId: string;
}

export interface IssuedUpload extends UploadOrder {
  /** UUIDv7: the order of ids is the order of issue. */
  readonly uploadId: string;
  /** Object key. */
  readonly key: string;
  readonly issuedAt: Date;
  readonly expiresAt: Date;
}

export interface UploadUrlDependencies {
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  readonly newUploadId: () => string;
  readonly assumeSigner: (uploadId: string, key: string) => Promise<SignerCredentials>;
  readonly presign: (key: string, credentials: SignerCredentials, signingDate: Date) => Promise<string>;
  readonly recordUpload: (upload: IssuedUpload, signal: AbortSignal) => Promise<void>;
  readonly lifetimeSeconds: number;
}

/**
 * Issues one upload URL with credentials made for it alone. The upload is recorded before the URL leaves and after
 * it could be signed, so that there is no URL without a record, and no record of a URL that nobody could have: nor
 * when the request was given up meanwhile. Only a write whose answer is lost leaves a record without its URL, which
 * expires like one that nobody used.
 *
 * The URL's hour starts before the credentials' does, so that it ends first and lasts in full. Signatures know
 * whole seconds.
 */
export async function issueUploadUrl(
  order: UploadOrder,
  dependencies: UploadUrlDependencies,
  signal: AbortSignal,
): Promise<string> {
  const { now, newUploadId, assumeSigner, presign, recordUpload, lifetimeSeconds } = dependencies;
  const issuedAt = new Date(Math.floor(now() / 1000) * 1000);
  const expiresAt = new Date(issuedAt.getTime() + lifetimeSeconds * 1000);
  const uploadId = newUploadId();
  const key = `uploads/${uploadId}`;

  const credentials = await assumeSigner(uploadId, key);
  const uploadUrl = await presign(key, credentials, issuedAt);
  signal.throwIfAborted();
  await recordUpload({ ...order, uploadId, key, issuedAt, expiresAt }, signal);
  return uploadUrl;
}
