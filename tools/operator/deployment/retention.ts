import { daysAfter, type Timestamp } from '../../../storage/attributes.ts';
import { counted } from '../text.ts';
import { timeOf } from './aws-clock.ts';
import type { Deployment } from './deployment.ts';

// A deletion first marks the record, which blocks new work. Its last step writes `delete_after` into the
// record, to mark the deletion as complete. So a deletion can be repeated after a crash at any point.

/** Warns that a deletion is final, with the number of days until AWS removes the records. */
export function describeRetention({ outputs }: Deployment): string {
  const kept = counted(Number(outputs.SupersededRetentionDays), 'day');
  return `This cannot be undone. AWS removes the deleted data after ${kept}.`;
}

/**
 * Returns the time after which AWS may remove a record that is deleted now: after the retention time of
 * replaced content.
 */
export function endOfRetention(deployment: Deployment): Timestamp {
  return daysAfter(timeOf(deployment), Number(deployment.outputs.SupersededRetentionDays));
}

/** Returns true if a client or file is not deleted, or its deletion is not complete. */
export function needsDeletion({ delete_after }: { readonly delete_after?: string }): boolean {
  return delete_after === undefined;
}
