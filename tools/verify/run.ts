import { deleteOrganisation } from '../operator/deletion.ts';
import { explainAwsError } from '../operator/deployment/aws-errors.ts';
import type { Deployment } from '../operator/deployment/deployment.ts';
import { messageOf } from '../operator/errors.ts';
import { counted, formatSeconds, printable } from '../operator/text.ts';
import type { Check } from './checks/check.ts';
import { type Outcome, outcomeOf } from './outcome.ts';
import { lineOf, type Report, type Result } from './report.ts';
import { newOrganisationId, openWorld, type World } from './world.ts';

export interface RunOptions {
  readonly deployment: Deployment;
  /** For the report: `stack file-sync-dev`. */
  readonly label: string;
  /** Absent for a local run. */
  readonly stackName?: string;
  /** In the order in which they run. */
  readonly checks: readonly Check[];
  readonly isWanted: (check: Check) => boolean;
  /** Ends the run early. What it made is removed all the same. */
  readonly signal: AbortSignal;
  /** Takes a line for each result. */
  readonly show: (line: string) => void;
  /** Takes what goes on. */
  readonly say: (line: string) => void;
  /** For the wait before uploads are deleted. */
  readonly sleep: (milliseconds: number) => Promise<unknown>;
  /** For tests: the deployment with something false. */
  readonly disturb?: (world: World) => World;
}

/** Looks at everything that is wanted. A check that fails does not stop the others. */
export async function verify(options: RunOptions): Promise<Report> {
  const { deployment, label, stackName, signal, disturb = (world) => world } = options;
  const organisationId = newOrganisationId();
  const startedAt = new Date().toISOString();
  const results: Result[] = [];
  const stop = stopped(signal);
  let left: string | undefined;
  try {
    const world = disturb(await openWorld(deployment, organisationId, stackName));
    for (const [index, check] of options.checks.entries()) {
      const outcome = await take(check, index, world, stop, options);
      if (outcome === undefined) {
        break;
      }
      const result = { id: check.id, isFact: check.does === undefined, must: check.must, ...outcome };
      results.push(result);
      options.show(lineOf(result));
    }
  } finally {
    left = await remove(organisationId, options);
  }
  return {
    deployment: label,
    baseUrl: deployment.outputs.BaseUrl,
    startedAt,
    endedAt: new Date().toISOString(),
    complete: !signal.aborted,
    results,
    ...(left !== undefined && { left }),
  };
}

/** The outcome of a check. Undefined if the run is stopped. */
async function take(
  check: Check,
  index: number,
  world: World,
  stop: Promise<undefined>,
  { checks, isWanted, signal, say }: RunOptions,
): Promise<Outcome | undefined> {
  if (signal.aborted) {
    return undefined;
  }
  if (!isWanted(check)) {
    return { verdict: 'left out', seen: 'Not asked for.' };
  }
  if (check.does !== undefined) {
    say(`[${index + 1}/${checks.length}] ${check.does}`);
  }
  const outcome = outcomeOf(() => check.look(world));
  // The contract suite removes what it made at its end, so that a run that is stopped waits for it.
  return check.id === 'contract' ? outcome : Promise.race([outcome, stop]);
}

function stopped(signal: AbortSignal): Promise<undefined> {
  return new Promise((resolve) => signal.addEventListener('abort', () => resolve(undefined), { once: true }));
}

/**
 * Deletes what this run made: the client, the file, their content and their records go after the retention time of the
 * deployment.
 *
 * @returns what could not be deleted, in words for a person
 */
async function remove(
  organisationId: string,
  { deployment, say, sleep }: RunOptions,
): Promise<string | undefined> {
  const command = `organisation delete ${organisationId}`;
  // Said before it begins: a second Ctrl-C ends the process in the middle.
  say(
    `Deleting the client, the file and the uploads of this run. If this is stopped, do it with: ${command}`,
  );
  const why = await deleteOrganisation(deployment, organisationId, {
    sleep,
    waiting: (milliseconds) =>
      say(`Waiting ${formatSeconds(milliseconds / 1000)} for sync requests that began before.`),
    progress: () => undefined,
    now: Date.now,
  }).then(
    ({ failed: [first, ...others] }) =>
      first && `${counted(1 + others.length, 'upload')} failed, the first because ${first.reason}`,
    (error: unknown) => messageOf(explainAwsError(error)),
  );
  if (why === undefined) {
    return undefined;
  }
  const left = `What is left of organisation ${organisationId} (${printable(why)}). Delete it with: ${command}`;
  say(`Could not be removed: ${left}`);
  return left;
}
