import { daysAfter, type Timestamp } from '../../../storage/attributes.ts';
import type { NextStep } from '../description/next-step.ts';
import { counted } from '../text.ts';
import { timeOf } from './aws-clock.ts';
import type { Deployment } from './deployment.ts';

// A deletion first marks the record, which blocks new work. Its last step writes `delete_after` into the
// record, to mark the deletion as complete. So a deletion can be repeated after a crash at any point.

/** Kinds whose deletion can be undone. */
export type UndoableKind = 'client' | 'file' | 'organisation';

/** Describes how long a deletion can be undone, and with which command. Then AWS removes the data. */
export function describeRetention({ outputs }: Deployment, kind: UndoableKind, id: string): string {
  const kept = counted(Number(outputs.SupersededRetentionDays), 'day');
  return `For ${kept}, this can be undone: ${kind} undelete ${id}. Then AWS removes the deleted data.`;
}

/** Describes an erasure before it begins. */
export function describeErasure({ outputs }: Deployment): string {
  const kept = counted(Number(outputs.SupersededRetentionDays), 'day');
  return `This cannot be undone: content is erased immediately. AWS removes the records, which contain no content, after ${kept}.`;
}

/** Describes what a complete erasure left. */
export function describeErased(left: number, end = ''): string {
  const rest = `Records without content are kept until ${end}, and in backups of the tables for 35 days longer.`;
  return left === 0
    ? `All content was erased. ${rest}`
    : `The bytes of ${counted(left, 'upload')} were not recorded yet, and are kept until then: repeat the erasure after 26 hours. ${rest}`;
}

/** Describes until when a complete deletion can be undone, with its command as the next step. */
export function undoStep(kind: UndoableKind, id: string, end = '') {
  return {
    until: `Until ${end}, this can be undone.`,
    next: [{ noun: kind, verb: 'undelete', id }] satisfies readonly NextStep[],
  };
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
