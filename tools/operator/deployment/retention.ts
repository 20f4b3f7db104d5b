import { daysAfter, type Timestamp, timestamp } from '../../../storage/attributes.ts';
import { counted } from '../text.ts';
import type { Deployment } from './deployment.ts';

// Each deletion marks first, so that nothing new begins, and writes the end of the record last, which says that nothing is
// left to do. So a deletion can be repeated after a crash at any point.

/** Says that a deletion is final, and when the records go. */
export function describeRetention({ outputs }: Deployment): string {
  const kept = counted(Number(outputs.SupersededRetentionDays), 'day');
  return `This cannot be undone. AWS removes what was deleted after ${kept}.`;
}

/** When a record that is deleted now may go: after the retention time of replaced content. @param now milliseconds */
export function endOfRetention({ outputs }: Deployment, now: number): Timestamp {
  return daysAfter(timestamp(new Date(now)), Number(outputs.SupersededRetentionDays));
}

/** Whether something is not deleted, or its deletion is not complete. */
export function isLeft({ delete_after }: { readonly delete_after?: string }): boolean {
  return delete_after === undefined;
}
