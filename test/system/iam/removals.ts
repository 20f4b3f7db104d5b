import { isDeepStrictEqual } from 'node:util';
import type { Resource } from 'cloud-assembly-emulator';
import type { RunningStack } from '../../support/running-stack.ts';
import { type Grant, grantsOf } from './grants.ts';
import { jobs, jobsWithoutFunctions } from './jobs.ts';
import { prepareWork, type Work } from './work.ts';

/** What the service could no longer do when one grant was taken away. */
export interface Removal {
  readonly grant: string;
  /** The job that failed first; undefined when the grant is superfluous. */
  readonly failedJob: string | undefined;
  /** Whether the log, or the reason of a failed start, named one of the actions as denied. */
  readonly named: boolean;
}

export interface RemovalReport {
  readonly removals: readonly Removal[];
  /** Jobs that fail with every grant there, before and after the removals: grants are missing. */
  readonly failing: readonly string[];
}

/** Takes each grant away in turn and does the jobs without it, until one fails. */
export async function removeEachGrant(stack: RunningStack): Promise<RemovalReport> {
  const work = await prepareWork(stack);
  const failing = await failingJobs(work);
  const removals: Removal[] = [];
  for (const grant of grantsOf(stack.resources)) {
    // Grants of one role stand side by side, and the same job usually fails without the next one.
    removals.push(await withoutGrant(grant, work, removals.at(-1)?.failedJob));
  }
  failing.push(...(await failingJobs(work)));
  return { removals, failing };
}

async function withoutGrant(grant: Grant, work: Work, likelyJob: string | undefined): Promise<Removal> {
  const { stack } = work;
  const since = stack.awsLog.length;
  stack.usePolicies(grant.without);
  const failed = await failureWithout({ ...work, since, resources: grant.without }, grant, likelyJob);
  stack.usePolicies(stack.resources);
  await stack.eventsSettled();
  return {
    grant: grant.name,
    failedJob: failed?.job,
    named: isNamed(grant, failed?.problem ?? '', stack, since),
  };
}

/** In the log of denied calls, or in the reason why the stack does not start. */
function isNamed(grant: Grant, problem: string, stack: RunningStack, since: number): boolean {
  const denied = stack.awsLog
    .slice(since)
    .some(({ message, action }) => message === 'access denied' && grant.actions.includes(String(action)));
  return denied || /API Gateway may not invoke/.test(problem);
}

interface Failure {
  readonly job: string;
  readonly problem: string;
}

/** Functions start anew only for the jobs that need them: that takes longer than everything else here. */
async function failureWithout(
  work: Work,
  grant: Grant,
  likelyJob: string | undefined,
): Promise<Failure | undefined> {
  const early = await firstFailure(work, Object.keys(jobsWithoutFunctions));
  if (early !== undefined) {
    return early;
  }
  await work.stack.cool(affectedFunctions(grant, work.stack.resources));
  const names = Object.keys(jobs).filter((name) => !Object.hasOwn(jobsWithoutFunctions, name));
  const isLikely = (name: string) => name === likelyJob;
  return firstFailure(work, [...names.filter(isLikely), ...names.filter((name) => !isLikely(name))]);
}

async function firstFailure(work: Work, names: readonly string[]): Promise<Failure | undefined> {
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
  await work.stack.cool();
  const failed = await firstFailure({ ...work, since: work.stack.awsLog.length }, Object.keys(jobs));
  return failed === undefined ? [] : [`${failed.job}: ${failed.problem}`];
}

/** The functions that keep in memory what a grant let them read. For a policy of a resource, these are all functions. */
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
