import { daysAfter, timestamp } from '../../../storage/attributes.ts';
import type { Work } from '../description/action.ts';
import { counted, formatBytes } from '../text.ts';
import { isOutstanding } from './outstanding.ts';
import { listUploads, type UploadSelection } from './upload.ts';

/** How many uploads there are, and a text about their stored content and their outstanding upload URLs. */
export async function countUploads(
  { deployment, now, progress, isTimeUp = () => false }: Work,
  selection: UploadSelection,
): Promise<{ readonly uploads: number; readonly text: string }> {
  const at = now();
  const keptSince = daysAfter(timestamp(new Date(at)), -Number(deployment.outputs.SupersededRetentionDays));
  const totals = { uploads: 0, outstanding: 0, bytes: 0, isPartial: false };
  for await (const page of listUploads(deployment, selection)) {
    for (const upload of page) {
      const isStored =
        upload.state === 'completed' &&
        (upload.superseded_at === undefined || upload.superseded_at > keptSince);
      totals.uploads += 1;
      totals.outstanding += isOutstanding(upload, at) ? 1 : 0;
      totals.bytes += isStored ? upload.size : 0;
    }
    progress(`Counting: ${counted(totals.uploads, 'upload')} so far.`);
    if (isTimeUp()) {
      totals.isPartial = true;
      break;
    }
  }
  const { uploads, outstanding, bytes, isPartial } = totals;
  const text = `${isPartial ? 'at least ' : ''}${counted(uploads, 'upload')} with ${formatBytes(bytes)} of content, and ${describeUrls(outstanding)}`;
  return { uploads, text };
}

/** Outstanding upload URLs, in words. */
export function describeUrls(outstanding: number): string {
  return `${counted(outstanding, 'upload URL')} through which bytes may still arrive`;
}
