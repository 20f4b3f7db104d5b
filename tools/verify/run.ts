import { awsMessageOf } from '../operator/deployment/aws-errors.ts';
import type { Deployment } from '../operator/deployment/deployment.ts';
import { planOrganisationDeletion } from '../operator/organisations/delete.ts';
import { printable } from '../operator/text.ts';
import { waitForRevokedKey } from './keys.ts';
import { type Check, type Outcome, outcomeOf } from './outcome.ts';
import { newOrganisationId, openService, type Service } from './service.ts';

export interface RunOptions {
  readonly deployment: Deployment;
  readonly isLocal: boolean;
  /** Checks, in the order in which they run. */
  readonly checks: readonly Check[];
  readonly isWanted: (check: Check) => boolean;
  /** Ends the run early. The run still deletes the entities that it created. */
  readonly signal: AbortSignal;
  /** Writes a line for each result. */
  readonly show: (line: string) => void;
  /** Writes a line about the current step. */
  readonly say: (line: string) => void;
  /** Sleep function for the wait before uploads are deleted. */
  readonly sleep: (milliseconds: number) => Promise<unknown>;
  /** For tests: returns a deployment with a defect. */
  readonly disturb?: ((service: Service) => Service) | undefined;
}

/** Result of a check, with its id. */
export type Result = Outcome & Pick<Check, 'id'>;

/** Runs all selected checks. A failed check does not stop the others. */
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
      let outcome: Outcome | undefined = { verdict: 'skipped', seen: 'Not selected.' };
      if (isWanted(check)) {
        say(`[${index + 1}/${checks.length}] ${check.label}`);
        const seen = outcomeOf(check, service);
        // The contract suite deletes its own entities at its end, so a stopped run waits for it.
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

/** Width of the longest verdict, which aligns the ids. */
const verdictColumns = 'not checked'.length;

/**
 * Deletes the client and the file of this run. Their content and their records are deleted after the
 * retention time of the deployment.
 */
async function remove(organisationId: string, { deployment, say, sleep }: RunOptions): Promise<void> {
  const command = `organisation delete ${organisationId}`;
  // Printed before the deletion: a second Ctrl-C ends the process in the middle.
  say(`Deleting the client, the file and the uploads of this run. If this is interrupted, run: ${command}`);
  try {
    const work = { deployment, sleep, note: say, progress: () => undefined };
    const { run } = await planOrganisationDeletion(work, organisationId, false);
    await run(work);
  } catch (error) {
    const why = printable(awsMessageOf(error));
    say(`Organisation ${organisationId} was not deleted: ${why}. Delete it with: ${command}`);
  }
}
