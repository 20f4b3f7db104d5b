import { isAccessDenied } from '../deployment/aws-errors.ts';
import type { Deployment } from '../deployment/deployment.ts';
import { trailsOfReads } from '../deployment/trails.ts';
import { type CheckResult, ok } from './finding.ts';

/** Reports the trails that keep reads of content. A trail is optional, so a missing one is not a failure. */
export async function checkAudit(deployment: Deployment): Promise<CheckResult> {
  try {
    const trails = await trailsOfReads(deployment);
    return ok(
      trails.length === 0
        ? 'no trail keeps reads of this bucket: see "Audit" in docs/operations.md'
        : `reads of this bucket are kept by ${trails.join(', ')}`,
    );
  } catch (error) {
    if (isAccessDenied(error)) {
      return ok('unknown: these credentials may not read the trails of CloudTrail');
    }
    throw error;
  }
}
