import { explainAwsError } from '../operator/deployment/aws-errors.ts';
import type { Deployment } from '../operator/deployment/deployment.ts';
import { messageOf } from '../operator/errors.ts';
import { planOrganisationDeletion } from '../operator/organisations/delete.ts';
import { printable } from '../operator/text.ts';
import { waitForRevokedKey } from './keys.ts';
import { type Check, type Outcome, outcomeOf } from './outcome.ts';
import { newOrganisationId, openService, type Service } from './service.ts';

export interface RunOptions {
  readonly deployment: Deployment;
  readonly isLocal: boolean;
  /** In the order in which they run. */
  readonly checks: readonly Check[];
  readonly isWanted: (check: Check) => boolean;
  /** Ends the run early. The run still removes what it made. */
  readonly signal: AbortSignal;
  /** Takes a line for each result. */
  readonly show: (line: string) => void;
  /** Takes a line about what the run does now. */
  readonly say: (line: string) => void;
  /** For the wait before uploads are deleted. */
  readonly sleep: (milliseconds: number) => Promise<unknown>;
  /** For tests: makes the deployment do something wrong. */
  readonly disturb?: (service: Service) => Service;
}

/** What became of a check, by its id. */
export type Result = Outcome & Pick<Check, 'id'>;

/** Does all wanted checks. A check that fails does not stop the others. */
export async function verify(options: RunOptions): Promise<readonly Result[]> {
  const { deployment, isLocal, checks, isWanted, signal, say, disturb = (service) => service } = options;
  const organisationId = newOrganisationId();
  const results: Result[] = [];
  const stop = new Promise<undefined>((resolve) => {
    signal.addEventListener('abort', () => resolve(undefined), { once: true });
  });
  try {
    const service = disturb(await openService(deployment, organisationId, isLocal));
    await Promise.race([waitForRevokedKey(service, say), stop]);
    for (const [index, check] of checks.entries()) {
      let outcome: Outcome | undefined = { verdict: 'left out', seen: 'Not asked for.' };
      if (isWanted(check)) {
        say(`[${index + 1}/${checks.length}] ${check.does}`);
        const seen = outcomeOf(check, service);
        // The contract suite removes what it made at its end, so a run that is stopped waits for it.
        outcome = await (check.id === 'contract' ? seen : Promise.race([seen, stop]));
      }
      if (outcome === undefined || signal.aborted) {
        break;
      }
      results.push({ id: check.id, ...outcome });
      options.show(`${outcome.verdict.padEnd(verdictColumns)}  ${check.id}: ${outcome.seen}`);
    }
  } finally {
    await remove(organisationId, options);
  }
  return results;
}

/** The width of the longest verdict, so that the ids stand below each other. */
const verdictColumns = 'does not hold'.length;

/**
 * Deletes what this run made: the client, the file, their content and their records go after the retention time of the
 * deployment.
 */
async function remove(organisationId: string, { deployment, say, sleep }: RunOptions): Promise<void> {
  const command = `organisation delete ${organisationId}`;
  // Said before the deletion begins: a second Ctrl-C ends the process in the middle.
  say(
    `Deleting the client, the file and the uploads of this run. If this is stopped, do it with: ${command}`,
  );
  try {
    const work = { deployment, sleep, note: say, progress: () => undefined };
    const { run } = await planOrganisationDeletion(work, organisationId);
    await run(work);
  } catch (error) {
    const why = printable(messageOf(explainAwsError(error)));
    say(`Organisation ${organisationId} was not deleted: ${why}. Delete it with: ${command}`);
  }
}
