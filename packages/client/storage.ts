import { FileSyncError } from './errors.ts';
import { type HttpResponse, rejectTemporary } from './http.ts';
import { shown } from './text.ts';

/** Source: https://docs.aws.amazon.com/AmazonS3/latest/API/ErrorResponses.html */
const temporaryCodes = ['RequestTimeout', 'ConditionalRequestConflict'];

/** @throws {FileSyncError} if nothing was stored: `unavailable` if a new upload URL may help */
export function checkStored(response: HttpResponse): void {
  const { status, body } = response;
  if (status === 200) {
    return;
  }
  const code = xmlText(body, 'Code') ?? 'without a code';
  // The URL has expired, or the credentials that signed it.
  const hasExpired =
    status === 403 ? body.includes('Request has expired') : status === 400 && code === 'ExpiredToken';
  rejectTemporary(
    response,
    hasExpired ? 'The upload URL has expired.' : `The storage responded with ${status} ${code}.`,
    hasExpired || temporaryCodes.includes(code),
  );
  if (status === 412) {
    throw new FileSyncError(
      'upload_url_used',
      'The upload URL was already used, or an operator has cancelled it. This attempt stored nothing. Upload the file again to use a new upload URL.',
    );
  }
  const message = xmlText(body, 'Message')?.replace(/(?<![.!?])$/, '.') ?? '';
  throw new FileSyncError(
    code === 'EntityTooLarge' ? 'source_too_large' : 'rejected',
    `The storage rejected the file with ${status} ${code}. ${message}`.trim(),
  );
}

/**
 * Returns one element of S3's error document. Other elements are never shown: they repeat parts of the signed
 * request.
 */
function xmlText(body: string, element: 'Code' | 'Message'): string | undefined {
  const text = new RegExp(`<${element}>([^<]{1,300})</${element}>`).exec(body)?.[1];
  return text && shown(text);
}

/**
 * Compares the ETag with the MD5 of the source. They are equal unless S3 encrypts the object with a KMS
 * key (https://docs.aws.amazon.com/AmazonS3/latest/API/API_Object.html).
 *
 * @throws {FileSyncError} if they differ
 */
export function compareEtag(md5: string, { headers }: HttpResponse) {
  const etag = headers.etag && shown(headers.etag.replaceAll('"', ''));
  const encryption = String(headers['x-amz-server-side-encryption'] ?? 'AES256');
  if (etag === undefined || encryption !== 'AES256' || !/^[0-9a-f]{32}$/.test(etag)) {
    return { etag, verified: false };
  }
  if (etag !== md5) {
    throw new FileSyncError(
      'damaged',
      `The stored bytes have MD5 ${etag}, but the source has ${md5}: they were damaged in transit. Upload the file again.`,
    );
  }
  return { etag, verified: true };
}
