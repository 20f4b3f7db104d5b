import { FileSyncError } from './errors.ts';
import { type HttpResponse, isTemporary, retryAfter } from './http-request.ts';
import type { PutOutcome } from './put-source.ts';
import type { Attempt } from './retry.ts';
import { shown } from './text.ts';

type Stored = Extract<PutOutcome, { readonly response: HttpResponse }>;

/**
 * Returns the response if the bytes are stored, or a reason to retry.
 *
 * @param moment progress for the reason: empty, or ` after 1.0 MiB of 5.0 MiB were sent`
 * @throws {FileSyncError} if the upload failed
 */
export function judgeOutcome(outcome: PutOutcome, moment: string): Attempt<Stored> {
  if ('interrupted' in outcome) {
    const { interrupted, sentWhole } = outcome;
    const doubt = sentWhole ? 'The upload may be stored.' : 'Nothing was stored.';
    return { retry: `The connection broke (${interrupted})${moment}. ${doubt}` };
  }
  const { response } = outcome;
  if (response.status >= 200 && response.status < 300) {
    return { done: outcome };
  }
  const code = xmlText(response, 'Code') ?? 'without a code';
  if (hasExpired(response, code)) {
    return { retry: 'The upload URL has expired.' };
  }
  if (isTemporary(response.status) || temporaryCodes.includes(code)) {
    return {
      retry: `The storage responded with ${response.status} ${code}.`,
      waitSeconds: retryAfter(response),
    };
  }
  throw rejection(response, code);
}

/** Returns true if the URL, or the credentials that signed it, have expired. */
function hasExpired(response: HttpResponse, code: string): boolean {
  const { status } = response;
  return (
    (status === 403 && response.body.includes('Request has expired')) ||
    (status === 400 && code === 'ExpiredToken')
  );
}

/** Source: https://docs.aws.amazon.com/AmazonS3/latest/API/ErrorResponses.html */
const temporaryCodes = ['RequestTimeout', 'ConditionalRequestConflict'];

function rejection(response: HttpResponse, code: string): FileSyncError {
  if (response.status === 412) {
    return new FileSyncError(
      'upload_url_used',
      'The upload URL was already used, or an operator has cancelled it. This attempt stored nothing. Upload the file again to use a new upload URL.',
    );
  }
  const message = xmlText(response, 'Message')?.replace(/(?<![.!?])$/, '.') ?? '';
  return new FileSyncError(
    code === 'EntityTooLarge' ? 'source_too_large' : 'rejected',
    `The storage rejected the file with ${response.status} ${code}. ${message}`.trim(),
  );
}

/**
 * Returns one element of S3's error document. Other elements are never shown: they repeat parts of the signed
 * request.
 */
function xmlText({ body }: HttpResponse, element: 'Code' | 'Message'): string | undefined {
  const text = new RegExp(`<${element}>([^<]{1,300})</${element}>`).exec(body)?.[1];
  return text === undefined ? undefined : shown(text);
}

/** Result of the check of the stored bytes. */
export interface Verification {
  /** ETag without quotes. */
  readonly etag: string | undefined;
  /** True if the ETag is the MD5 of the sent bytes. */
  readonly verified: boolean;
}

/**
 * Compares the ETag with the MD5 of the sent bytes. They are equal unless S3 encrypts the object with a KMS
 * key (https://docs.aws.amazon.com/AmazonS3/latest/API/API_Object.html).
 *
 * @throws {FileSyncError} if they differ
 */
export function compareEtag(md5: string, { headers }: HttpResponse): Verification {
  const etag = headers.etag && shown(headers.etag.replaceAll('"', ''));
  const encryption = String(headers['x-amz-server-side-encryption'] ?? 'AES256');
  if (etag === undefined || encryption !== 'AES256' || !/^[0-9a-f]{32}$/.test(etag)) {
    return { etag, verified: false };
  }
  if (etag !== md5) {
    throw new FileSyncError(
      'damaged',
      `The stored bytes have MD5 ${etag}, but the sent bytes have ${md5}: they were damaged in transit. Upload the file again.`,
    );
  }
  return { etag, verified: true };
}
