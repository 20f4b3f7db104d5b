import type { Deployment } from '../deployment/deployment.ts';
import type { TimeRange } from '../deployment/metrics.ts';
import type { StackResources } from '../deployment/stack-resources.ts';
import { lastHour, readActivity, sumOf } from '../requests/activity.ts';
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
  const hour = lastHour(deployment.now());
  const [inHour, inChosen] = await Promise.all([
    checkRange(deployment, resources, hour),
    chosen && checkRange(deployment, resources, chosen),
  ]);
  return inHour.state === 'ok' && inChosen !== undefined ? inChosen : inHour;
}

async function checkRange(
  deployment: Deployment,
  resources: Promise<StackResources>,
  range: TimeRange,
): Promise<CheckResult> {
  const { values } = await readActivity(deployment, range, ['requests', 'rejected', 'failed'], resources);
  const [requests, rejected] = [sumOf(values.requests), sumOf(values.rejected)];
  const failed = sumOf(values.failed);
  const [since, until] = [new Date(range.since).toISOString(), new Date(range.until).toISOString()];
  const counts = `${rejected} of ${requests} requests were rejected (4xx) and ${failed} failed (5xx), since ${since}`;
  return requests === 0 || rejected + failed < highShare * requests
    ? ok(counts)
    : warning(`${counts}.`, 'Find out which clients and routes are affected.', {
        noun: 'request',
        verb: 'list',
        answers: { status: rejected < failed ? '5xx' : '4xx', since, until },
      });
}
