import { uploadUrlLifetimeSeconds } from '../../../contract/limits.ts';
import { timestamp } from '../../../storage/attributes.ts';
import type { Deployment } from '../deployment/deployment.ts';
import type { Pages } from '../lists/list.ts';
import { allOf, readAll } from '../lists/read.ts';
import { counted } from '../text.ts';
import { type Upload, type UploadSelection, uploadSource } from './upload.ts';

/** Duration of the largest upload at 62 KB/s. S3 does not limit the duration of a PUT that makes progress. */
const maxPutMilliseconds = 24 * 3_600_000;

/**
 * Returns true if bytes may still arrive through the URL of an upload. After the URL expired, a PUT may be in progress for
 * a day.
 *
 * @param now milliseconds since the epoch
 */
export function isOutstanding({ state, expires_at }: Upload, now: number): boolean {
  const isRecent = Date.parse(expires_at) > now - maxPutMilliseconds;
  return state === 'issued' || (state === 'expired' && isRecent);
}

/**
 * Lists uploads with a URL through which bytes may still arrive. Reads only uploads of about the last 25
 * hours.
 */
export async function* outstandingUploads(deployment: Deployment, selection: UploadSelection): Pages<Upload> {
  const now = deployment.now();
  const since = timestamp(now - uploadUrlLifetimeSeconds * 1000 - maxPutMilliseconds);
  for await (const page of readAll(deployment, uploadSource(deployment, { ...selection, since }))) {
    yield page.filter((upload) => isOutstanding(upload, now));
  }
}

/**
 * Counts outstanding upload URLs.
 *
 * @returns their number, and the latest expiration. It is undefined if there is none
 */
export async function countOutstanding(deployment: Deployment, selection: UploadSelection) {
  const uploads = await allOf(outstandingUploads(deployment, selection));
  const ends = uploads.map(({ expires_at }) => expires_at).sort();
  return { outstanding: ends.length, until: ends.at(-1) };
}

/** Describes a number of outstanding upload URLs. */
export function describeUrls(outstanding: number): string {
  return `${counted(outstanding, 'upload URL')} through which bytes may still arrive`;
}
