import type { Deployment } from '../deployment/deployment.ts';
import type { TimeRange } from '../deployment/metrics.ts';
import type { StackResources } from '../deployment/stack-resources.ts';
import { lastHour, readRequestCounts } from '../requests/activity.ts';
import { type CheckResult, ok, warning } from './finding.ts';

/** Share of unsuccessful requests at which an operator should act. */
const highShare = 0.1;

/**
 * Checks that fewer than one request in ten got an error, in the last hour and in a chosen time.
 *
 * @param chosen default: only the last hour
 */
export async function checkRequests(
  deployment: Deployment,
  resources: Promise<StackResources>,
  chosen?: TimeRange,
): Promise<CheckResult> {
  const found = await resources;
  const hour = lastHour(deployment.now());
  const [inHour, inChosen] = await Promise.all([
    checkRange(deployment, found, hour),
    chosen && checkRange(deployment, found, chosen),
  ]);
  return inHour.state === 'ok' && inChosen !== undefined ? inChosen : inHour;
}

async function checkRange(
  deployment: Deployment,
  resources: StackResources,
  range: TimeRange,
): Promise<CheckResult> {
  const { requests, rejected, failed } = await readRequestCounts(deployment, resources, range);
  const [since, until] = [new Date(range.since).toISOString(), new Date(range.until).toISOString()];
  const counts = `${rejected} of ${requests} requests were rejected (4xx) and ${failed} failed (5xx), since ${since}`;
  return requests === 0 || rejected + failed < highShare * requests
    ? ok(counts)
    : warning(`${counts}.`, 'Find out which clients and routes are affected.', {
        noun: 'request',
        verb: 'list',
        answers: { since, until },
      });
}
