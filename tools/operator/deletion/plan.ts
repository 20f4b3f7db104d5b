import { daysAfter, type Timestamp, timestamp } from '../../../storage/attributes.ts';
import type { Deployment } from '../deployment/deployment.ts';
import { mayBeUnderWay } from '../outstanding-uploads.ts';
import { listUploads, type Upload, type UploadSelection } from '../uploads.ts';

/** What a deletion would remove. */
export interface UploadTotals {
  /** Upload records. */
  readonly uploads: number;
  /** Upload URLs that it ends, and those that expired so lately that a PUT may still be under way. */
  readonly outstanding: number;
  /** Content that is still stored, replaced content included. */
  readonly bytes: number;
  /** Whether counting was stopped: there are at least so many. */
  readonly partial?: true;
}

export interface CountOptions {
  /** Milliseconds since the epoch. */
  readonly now: number;
  /** Called with the number of uploads that were counted so far. */
  readonly progress: (done: number) => void;
  /** Asked after each page: whether that is enough. Default: all are counted. */
  readonly isTimeUp?: () => boolean;
}

/** Counts the uploads of a file, or of an organisation. They are read page by page. */
export async function countUploads(
  deployment: Deployment,
  selection: UploadSelection,
  { now, progress, isTimeUp = () => false }: CountOptions,
): Promise<UploadTotals> {
  const keptSince = daysAfter(timestamp(new Date(now)), -Number(deployment.outputs.SupersededRetentionDays));
  const totals = { uploads: 0, outstanding: 0, bytes: 0 };
  for await (const page of listUploads(deployment, selection)) {
    for (const upload of page) {
      totals.uploads += 1;
      totals.outstanding += isOpen(upload, now) ? 1 : 0;
      totals.bytes += storedBytes(upload, keptSince);
    }
    progress(totals.uploads);
    if (isTimeUp()) {
      return { ...totals, partial: true };
    }
  }
  return totals;
}

/** Whether bytes may still arrive through the URL of an upload. */
export function isOpen(upload: Upload, now: number): boolean {
  return upload.state === 'issued' || mayBeUnderWay(upload, now);
}

function storedBytes(upload: Upload, keptSince: Timestamp): number {
  if (upload.state !== 'completed') {
    return 0;
  }
  return upload.superseded_at === undefined || upload.superseded_at > keptSince ? upload.size : 0;
}
