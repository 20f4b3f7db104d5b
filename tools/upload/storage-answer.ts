import { printable } from '../operator/text.ts';
import { CommandError, exitCodes } from '../terminal/errors.ts';
import { type Answer, isTemporary, retryAfter } from './http-request.ts';
import type { Journal } from './journal.ts';
import type { PutOutcome } from './put-source.ts';
import type { Attempt } from './retry.ts';

type Stored = Extract<PutOutcome, { readonly answer: Answer }>;

/** Decides whether the bytes are stored, a retry may help, or the upload has failed. */
export function judgeOutcome(outcome: PutOutcome, { moment }: Journal): Attempt<Stored> {
  if ('interrupted' in outcome) {
    const { interrupted, sentWhole } = outcome;
    const doubt = sentWhole ? 'The upload may be stored.' : 'Nothing was stored.';
    return { retry: `The connection broke (${interrupted})${moment}. ${doubt}` };
  }
  const { answer } = outcome;
  if (answer.status >= 200 && answer.status < 300) {
    return { done: outcome };
  }
  const code = xmlText(answer, 'Code') ?? 'without a code';
  if (hasExpired(answer, code)) {
    return { retry: 'The upload URL has expired.' };
  }
  if (isTemporary(answer.status) || temporaryCodes.includes(code)) {
    return { retry: `The storage answered ${answer.status} ${code}.`, waitSeconds: retryAfter(answer) };
  }
  throw refusal(answer, code);
}

/** Whether the URL has expired, or the credentials that signed it. */
function hasExpired(answer: Answer, code: string): boolean {
  const { status } = answer;
  return (
    (status === 403 && answer.body.includes('Request has expired')) ||
    (status === 400 && code === 'ExpiredToken')
  );
}

/** https://docs.aws.amazon.com/AmazonS3/latest/API/ErrorResponses.html */
const temporaryCodes = ['RequestTimeout', 'ConditionalRequestConflict'];

function refusal(answer: Answer, code: string): CommandError {
  if (answer.status === 412) {
    return new CommandError(
      'The upload URL was already used, or an operator has cancelled it. This attempt stored nothing. To try again with a new upload URL, run the command again.',
      exitCodes.conflict,
    );
  }
  const message = xmlText(answer, 'Message') ?? '';
  return new CommandError(
    `The storage refused the file with ${answer.status} ${code}. ${message}`.trim(),
    code === 'EntityTooLarge' ? exitCodes.tooLarge : undefined,
  );
}

/** One element of S3's error document. Other elements are never shown: they repeat parts of the signed request. */
function xmlText({ body }: Answer, element: 'Code' | 'Message'): string | undefined {
  const text = new RegExp(`<${element}>([^<]{1,300})</${element}>`).exec(body)?.[1];
  return text === undefined ? undefined : printable(text);
}

/** What the storage says of the bytes that it stored. */
export interface Verification {
  /** Without quotes. */
  readonly etag: string | undefined;
  /** Whether the ETag is the MD5 of the sent bytes. */
  readonly verified: boolean;
}

/**
 * Compares the ETag with the MD5 of the sent bytes. They are equal unless S3 encrypts the object with a KMS key
 * (https://docs.aws.amazon.com/AmazonS3/latest/API/API_Object.html).
 *
 * @throws {CommandError} when they differ
 */
export function compareEtag(md5: string, { headers }: Answer): Verification {
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
