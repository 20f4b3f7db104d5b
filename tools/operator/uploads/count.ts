import { daysAfter, type Timestamp, timestamp } from '../../../storage/attributes.ts';
import { timeLimit } from '../deployment/aws-clock.ts';
import type { Deployment } from '../deployment/deployment.ts';
import { readAll } from '../lists/read.ts';
import { counted, formatBytes } from '../text.ts';
import { describeUrls, isOutstanding } from './outstanding.ts';
import { type UploadSelection, uploadSource } from './upload.ts';

/** Time limit of a count. A page or a confirmation must not wait for a million uploads. */
export const maxCountMilliseconds = 2000;

/** Counts uploads, newest first, and the bytes of their current and replaced content, until the time limit. */
export async function countUploads(deployment: Deployment, selection: UploadSelection) {
  const at = deployment.now();
  const isTimeUp = timeLimit(deployment.now, maxCountMilliseconds);
  const keptSince = daysAfter(timestamp(at), -Number(deployment.outputs.SupersededRetentionDays));
  let [uploads, outstanding, current, kept] = [0, 0, 0, 0];
  let newest: Timestamp | undefined;
  let isPartial = false;
  for await (const page of readAll(deployment, uploadSource(deployment, selection))) {
    newest ??= page[0]?.issued_at;
    for (const upload of page) {
      const { superseded_at: replacedAt = '' } = upload;
      uploads += 1;
      outstanding += isOutstanding(upload, at) ? 1 : 0;
      if (upload.state === 'completed') {
        current += replacedAt === '' ? upload.size : 0;
        kept += replacedAt > keptSince ? upload.size : 0;
      }
    }
    isPartial = isTimeUp();
    if (isPartial) {
      break;
    }
  }
  const text = `${isPartial ? 'at least ' : ''}${counted(uploads, 'upload')} with ${formatBytes(current + kept)} of content, and ${describeUrls(outstanding)}`;
  return { uploads, current, kept, newest, isPartial, text };
}
