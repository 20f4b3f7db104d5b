import { daysAfter, type Timestamp, timestamp } from '../../../storage/attributes.ts';
import type { Deployment } from '../deployment/deployment.ts';

/** When what is deleted now may go: after the retention time of replaced content. */
export function endOfRetention({ outputs }: Deployment, now: number): Timestamp {
  return daysAfter(timestamp(new Date(now)), Number(outputs.SupersededRetentionDays));
}

/**
 * A sync request that read the file before it was deleted can record its URL until its function is stopped, 10 s later.
 * The index that lists uploads is up to date about a second after that.
 */
export const lastIssueMilliseconds = 12_000;

/** What a deletion needs besides the deployment. */
export interface DeletionOptions {
  /** Called with the number of uploads that were looked at so far. */
  readonly progress: (done: number) => void;
  /** Called before a wait. */
  readonly waiting: (milliseconds: number) => void;
  readonly sleep: (milliseconds: number) => Promise<unknown>;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
}

/** Waits until no sync request can issue a URL for a file that was deleted at this time. */
export async function waitForLastIssue(
  deletedAt: Timestamp,
  { waiting, sleep, now }: DeletionOptions,
): Promise<void> {
  const left = Math.min(Date.parse(deletedAt) + lastIssueMilliseconds - now(), lastIssueMilliseconds);
  if (left > 0) {
    waiting(left);
    await sleep(left);
  }
}
