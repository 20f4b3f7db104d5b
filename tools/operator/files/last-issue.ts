import type { ActionContext } from '../description/action.ts';

/**
 * A sync request that read the file before the change can record its upload URL until Lambda stops the
 * function, after 10 s. The upload appears in the index of uploads about a second later.
 */
const lastIssueMilliseconds = 12_000;

/**
 * Waits until no sync request from before a change can issue a URL.
 *
 * @param changedAt time in ISO 8601
 */
export async function waitForLastIssue(
  changedAt: string,
  { deployment, progress, sleep }: Pick<ActionContext, 'deployment' | 'progress' | 'sleep'>,
): Promise<void> {
  const end = Date.parse(changedAt) + lastIssueMilliseconds;
  const wait = Math.min(end - deployment.now(), lastIssueMilliseconds);
  for (let left = wait; left > 0; left -= 1000) {
    progress(
      `Waiting ${Math.ceil(left / 1000)} s for sync requests that began before the change. You can stop safely.`,
    );
    await sleep(Math.min(left, 1000));
  }
}
