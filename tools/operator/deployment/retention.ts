import { daysAfter, type Timestamp } from '../../../storage/attributes.ts';
import type { NextStep } from '../description/next-step.ts';
import { counted } from '../text.ts';
import { timeOf } from './aws-clock.ts';
import type { Deployment } from './deployment.ts';

// A deletion first marks the record, which blocks new work. Its last step writes `delete_after` into the
// record, to mark the deletion as complete. So a deletion can be repeated after a crash at any point.

/** Kinds whose deletion can be undone. */
export type UndoableKind = 'client' | 'file' | 'organisation';

/** Describes before a deletion how long it can be undone, and with which command. Then AWS removes the data. */
export function describeRetention(
  { outputs }: Deployment,
  kind: UndoableKind,
  id: string,
  erases = false,
): string {
  const kept = counted(Number(outputs.SupersededRetentionDays), 'day');
  return erases
    ? `This cannot be undone: content is erased immediately. AWS removes the records, which contain no content, after ${kept}.`
    : `For ${kept}, this can be undone: ${kind} undelete ${id}. Then AWS removes the deleted data.`;
}

/** Describes after a deletion until when it can be undone, with its command as the next step. */
export function undoStep(kind: UndoableKind, id: string, end = '', erases = false) {
  const until = erases
    ? `All content was erased. Records without content are kept until ${end}, and in backups of the tables for 35 days longer.`
    : `Until ${end}, this can be undone.`;
  const next = [{ noun: kind, verb: 'undelete', id }] satisfies readonly NextStep[];
  return { until, next: erases ? [] : next };
}

/**
 * Returns the time after which AWS may remove a record that is deleted now: after the retention time of
 * replaced content.
 */
export function endOfRetention(deployment: Deployment): Timestamp {
  return daysAfter(timeOf(deployment), Number(deployment.outputs.SupersededRetentionDays));
}

/**
 * Returns true if a client or file is not deleted, or its deletion is not complete.
 *
 * @param erases true if its content must be erased too
 */
export function needsDeletion({ delete_after, erased_at }: Deletable, erases = false): boolean {
  return delete_after === undefined || (erases && erased_at === undefined);
}

/** The marks of a deletion. */
export interface Deletable {
  readonly deleted_at?: string;
  readonly delete_after?: string;
  readonly erased_at?: string;
}
