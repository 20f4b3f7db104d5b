import { uploadUrlLifetimeSeconds } from '../../../contract/limits.ts';
import { timestamp } from '../../../storage/attributes.ts';
import type { Deployment } from '../deployment/deployment.ts';
import { allOf, type Pages } from '../lists/list.ts';
import { counted } from '../text.ts';
import { listUploads, type Upload, type UploadSelection } from './upload.ts';

/** The largest upload takes this long at 62 KB/s. S3 itself sets no limit to the length of a PUT that makes progress. */
const maxPutMilliseconds = 24 * 3_600_000;

/** Whether the URL expired unused less than a day ago, so that a PUT may still be under way. @param now milliseconds */
export function mayBeUnderWay({ state, expires_at }: Upload, now: number): boolean {
  return state === 'expired' && Date.parse(expires_at) > now - maxPutMilliseconds;
}

/** Whether bytes may still arrive through the URL of an upload. @param now milliseconds */
export function isOutstanding(upload: Upload, now: number): boolean {
  return upload.state === 'issued' || mayBeUnderWay(upload, now);
}

/** The uploads through whose URLs bytes may still arrive. Only uploads of about the last 25 hours are read. */
export async function* outstandingUploads(deployment: Deployment, selection: UploadSelection): Pages<Upload> {
  const now = deployment.now();
  const since = timestamp(new Date(now - uploadUrlLifetimeSeconds * 1000 - maxPutMilliseconds));
  for await (const page of listUploads(deployment, { ...selection, since })) {
    yield page.filter((upload) => isOutstanding(upload, now));
  }
}

/** Upload URLs of a file through which bytes may still arrive. */
export interface OutstandingUploads {
  readonly outstanding: number;
  /** When the last of these URLs expires. Undefined when there is none. */
  readonly until: string | undefined;
}

/** Counts the outstanding upload URLs of a file. */
export async function countOutstanding(deployment: Deployment, fileId: string): Promise<OutstandingUploads> {
  const uploads = await allOf(outstandingUploads(deployment, { file: fileId }));
  const ends = uploads.map(({ expires_at }) => expires_at).sort();
  return { outstanding: ends.length, until: ends.at(-1) };
}

/** Says how many upload URLs are outstanding. */
export function describeOutstanding({ outstanding, until }: OutstandingUploads): string {
  return outstanding === 0
    ? 'No upload URL of this file is outstanding.'
    : `Bytes may still arrive through ${counted(outstanding, 'upload URL')} until ${until}. A PUT that has begun by then may end later.`;
}
