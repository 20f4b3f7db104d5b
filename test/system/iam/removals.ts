import { isDeepStrictEqual } from 'node:util';
import type { Resource } from 'cloud-assembly-emulator';
import { createApiUser } from '../../support/api-user.ts';
import type { RunningStack } from '../../support/running-stack.ts';
import { type Grant, grantsOf } from './grants.ts';
import { jobs, jobsWithoutFunctions } from './jobs.ts';
import type { Work } from './work.ts';

/** Removes each grant in turn, and runs the jobs without it until one fails. */
export async function removeEachGrant(stack: RunningStack) {
  const { resources, awsLog } = stack;
  const work: Work = { stack, resources, since: awsLog.length, user: await createApiUser(stack) };
  const failing = await failingJobs(work);
  const removals: Awaited<ReturnType<typeof withoutGrant>>[] = [];
  for (const grant of grantsOf(stack.resources)) {
    // Grants of one role are adjacent in the list, and the same job usually fails without the next one.
    removals.push(await withoutGrant(grant, work, removals.at(-1)?.failedJob));
  }
  failing.push(...(await failingJobs(work)));
  return {
    removals,
    /** Jobs that fail with all grants, before and after the removals: grants are missing. */
    failing,
  };
}

async function withoutGrant(grant: Grant, work: Work, likelyJob: string | undefined) {
  const { stack } = work;
  const since = stack.awsLog.length;
  stack.usePolicies(grant.without);
  const failed = await failureWithout({ ...work, since, resources: grant.without }, grant, likelyJob);
  stack.usePolicies(stack.resources);
  await stack.eventsSettled();
  return {
    grant: grant.name,
    /** Job that failed first; undefined if the grant is superfluous. */
    failedJob: failed?.job,
    /** True if the log, or the reason of a failed start, named one of the actions as denied. */
    named: isNamed(grant, failed?.problem ?? '', stack, since),
  };
}

/** Returns true if the log of denied calls, or the reason of a failed start, names the grant. */
function isNamed(grant: Grant, problem: string, stack: RunningStack, since: number): boolean {
  const denied = stack.awsLog
    .slice(since)
    .some(({ message, action }) => message === 'access denied' && grant.actions.includes(String(action)));
  return denied || /API Gateway may not invoke/.test(problem);
}

/** Functions restart only for the jobs that use them: a restart takes longer than all other steps. */
async function failureWithout(work: Work, grant: Grant, likelyJob: string | undefined) {
  const early = await firstFailure(work, Object.keys(jobsWithoutFunctions));
  if (early !== undefined) {
    return early;
  }
  await work.stack.endIdleEnvironments(affectedFunctions(grant, work.stack.resources));
  const names = Object.keys(jobs).filter((name) => !Object.hasOwn(jobsWithoutFunctions, name));
  const isLikely = (name: string) => name === likelyJob;
  return firstFailure(work, [...names.filter(isLikely), ...names.filter((name) => !isLikely(name))]);
}

async function firstFailure(work: Work, names: readonly string[]) {
  for (const job of names) {
    const problem = await jobs[job]?.(work).then(
      () => undefined,
      (error: unknown) => (error instanceof Error ? error.message : String(error)),
    );
    if (problem !== undefined) {
      return { job, problem };
    }
  }
  return undefined;
}

async function failingJobs(work: Work): Promise<string[]> {
  await work.stack.endIdleEnvironments();
  const failed = await firstFailure({ ...work, since: work.stack.awsLog.length }, Object.keys(jobs));
  return failed === undefined ? [] : [`${failed.job}: ${failed.problem}`];
}

/**
 * Returns the functions that cache data read with a grant. For a policy of a resource, these are all
 * functions.
 */
function affectedFunctions(grant: Grant, resources: readonly Resource[]): string[] {
  const arns = resources
    .filter(
      ({ type, ref }) => type === 'AWS::IAM::Role' && (grant.roles.length === 0 || grant.roles.includes(ref)),
    )
    .map(({ attributes }) => attributes.Arn);
  return resources
    .filter(({ type }) => type === 'AWS::Lambda::Function')
    .filter(({ properties }) =>
      arns.some((arn) => isDeepStrictEqual(arn, (properties as { Role: unknown }).Role)),
    )
    .map(({ ref }) => ref);
}
