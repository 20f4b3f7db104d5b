import { printable } from '../operator/text.ts';
import { CommandError, exitCodes } from '../terminal/errors.ts';
import { type HttpResponse, isTemporary, retryAfter } from './http-request.ts';
import type { Journal } from './journal.ts';
import type { PutOutcome } from './put-source.ts';
import type { Attempt } from './retry.ts';

type Stored = Extract<PutOutcome, { readonly response: HttpResponse }>;

/** Returns the response if the bytes are stored, or a reason to retry. Throws if the upload failed. */
export function judgeOutcome(outcome: PutOutcome, { moment }: Journal): Attempt<Stored> {
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

function rejection(response: HttpResponse, code: string): CommandError {
  if (response.status === 412) {
    return new CommandError(
      'The upload URL was already used, or an operator has cancelled it. This attempt stored nothing. To try again with a new upload URL, run the command again.',
      exitCodes.conflict,
    );
  }
  const message = xmlText(response, 'Message')?.replace(/(?<![.!?])$/, '.') ?? '';
  return new CommandError(
    `The storage rejected the file with ${response.status} ${code}. ${message}`.trim(),
    code === 'EntityTooLarge' ? exitCodes.tooLarge : undefined,
  );
}

/**
 * Returns one element of S3's error document. Other elements are never shown: they repeat parts of the signed
 * request.
 */
function xmlText({ body }: HttpResponse, element: 'Code' | 'Message'): string | undefined {
  const text = new RegExp(`<${element}>([^<]{1,300})</${element}>`).exec(body)?.[1];
  return text === undefined ? undefined : printable(text);
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
 * @throws {CommandError} if they differ
 */
export function compareEtag(md5: string, { headers }: HttpResponse): Verification {
  const etag = headers.etag?.replaceAll('"', '');
  const encryption = String(headers['x-amz-server-side-encryption'] ?? 'AES256');
  if (etag === undefined || encryption !== 'AES256' || !/^[0-9a-f]{32}$/.test(etag)) {
    return { etag, verified: false };
  }
  if (etag !== md5) {
    throw new CommandError(
      `The stored bytes have MD5 ${etag}, but the sent bytes have ${md5}: they were damaged in transit. Upload the file again.`,
    );
  }
  return { etag, verified: true };
}
