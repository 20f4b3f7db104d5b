import { daysAfter, timestamp } from '../../../storage/attributes.ts';
import type { ActionContext } from '../description/action.ts';
import { readAll } from '../lists/read.ts';
import { counted, formatBytes } from '../text.ts';
import { isOutstanding } from './outstanding.ts';
import { type UploadSelection, uploadSource } from './upload.ts';

/** Counts uploads, and describes their stored content and their outstanding upload URLs. */
export async function countUploads(
  { deployment, progress, isTimeUp }: ActionContext,
  selection: UploadSelection,
) {
  const at = deployment.now();
  const keptSince = daysAfter(timestamp(new Date(at)), -Number(deployment.outputs.SupersededRetentionDays));
  let [uploads, outstanding, bytes] = [0, 0, 0];
  let atLeast = '';
  for await (const page of readAll(deployment, uploadSource(deployment, selection))) {
    for (const upload of page) {
      const { superseded_at: replacedAt } = upload;
      const isRemoved = replacedAt !== undefined && replacedAt <= keptSince;
      uploads += 1;
      outstanding += isOutstanding(upload, at) ? 1 : 0;
      bytes += upload.state === 'completed' && !isRemoved ? upload.size : 0;
    }
    progress(`Counting: ${counted(uploads, 'upload')} so far.`);
    if (isTimeUp?.()) {
      atLeast = 'at least ';
      break;
    }
  }
  const text = `${atLeast}${counted(uploads, 'upload')} with ${formatBytes(bytes)} of content, and ${describeUrls(outstanding)}`;
  return { uploads, text };
}

/** Describes a number of outstanding upload URLs. */
export function describeUrls(outstanding: number): string {
  return `${counted(outstanding, 'upload URL')} through which bytes may still arrive`;
}
