import { daysAfter, type Timestamp } from '../../../storage/attributes.ts';
import { counted } from '../text.ts';
import { timeOf } from './aws-clock.ts';
import type { Deployment } from './deployment.ts';

// A deletion first marks the record, so that nothing new begins. Last, it writes `delete_after` into the record, which
// says that the deletion is complete. So a deletion can be repeated after a crash at any point.

/** Says that a deletion is final, and when AWS removes the records. */
export function describeRetention({ outputs }: Deployment): string {
  const kept = counted(Number(outputs.SupersededRetentionDays), 'day');
  return `This cannot be undone. AWS removes what was deleted after ${kept}.`;
}

/** When AWS may remove a record deleted now: after the retention time of replaced content. */
export function endOfRetention(deployment: Deployment): Timestamp {
  return daysAfter(timeOf(deployment), Number(deployment.outputs.SupersededRetentionDays));
}

/** Whether a client or file is not deleted, or its deletion is not complete. */
export function isLeft({ delete_after }: { readonly delete_after?: string }): boolean {
  return delete_after === undefined;
}
