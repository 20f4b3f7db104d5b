import { formatBytes } from '../text.ts';
import { uploadIdOf } from './upload-url.ts';

/** How far the newest attempt has come, for whoever stops the command. */
export interface Attempted {
  /** The upload URL of the attempt. */
  readonly url: URL;
  /** Bytes that the connection has taken. The last of them may still be on their way. */
  readonly sent: number;
  /** Bytes in total. */
  readonly size: number;
}

/** The connection may have taken this much more than was counted: two buffers of a transfer. */
const uncountedBytes = 1024 * 1024;

/**
 * Says what an upload leaves behind that was stopped on its way.
 *
 * @param attempted absent when no upload URL was issued yet
 * @param operator how an operator types an admin command on this service
 * @param now of the clock of this machine, in milliseconds since 1970
 */
export function whatIsLeft(attempted: Attempted | undefined, operator: string, now: number): string {
  if (attempted === undefined) {
    return 'Stopped. Nothing was sent.';
  }
  const { url, sent, size } = attempted;
  const id = uploadIdOf(url) ?? 'ID';
  const amount = sent >= size ? 'all bytes were sent' : `${formatBytes(sent)} of ${formatBytes(size)}`;
  // S3 stores nothing until the last byte has arrived.
  if (sent + uncountedBytes < size) {
    const end = stillGood(url, now, operator, id);
    return [`Stopped after ${amount}. Nothing was stored.`, ...end.map((text) => `Its ${text}`)].join('\n');
  }
  return [
    `Stopped after ${amount}. The upload may be stored or not. An operator can check:\n  ${operator} upload show ${id}`,
    ...stillGood(url, now, operator, id).map((text) => `If it is not stored, its ${text}`),
  ].join('\n');
}

/** Until when the URL accepts a PUT that begins, and who can close it earlier. Nothing when that is over or unknown. */
function stillGood(url: URL, now: number, operator: string, id: string): readonly string[] {
  const end = endOf(url);
  if (end === undefined || end.getTime() <= now) {
    return [];
  }
  const time = end.toISOString().replace('.000Z', 'Z');
  return [
    `upload URL is still good until ${time}, for one PUT. An operator can close it:\n  ${operator} upload cancel ${id}`,
  ];
}

/** When a presigned URL ends: https://docs.aws.amazon.com/AmazonS3/latest/API/sigv4-query-string-auth.html */
function endOf({ searchParams }: URL): Date | undefined {
  const [, ...parts] =
    /^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/.exec(searchParams.get('X-Amz-Date') ?? '') ?? [];
  const [year, month, day, hour, minute, second] = parts.map(Number);
  const seconds = Number(searchParams.get('X-Amz-Expires') ?? Number.NaN);
  const start = Date.UTC(year ?? Number.NaN, (month ?? 0) - 1, day, hour, minute, second);
  const end = new Date(start + seconds * 1000);
  return Number.isNaN(end.getTime()) ? undefined : end;
}
