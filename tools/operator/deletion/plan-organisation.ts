import type { Deployment } from '../deployment/deployment.ts';
import { CommandError } from '../errors.ts';
import { parseNewIdentifier } from '../parse-input.ts';
import { quoted } from '../text.ts';
import { countBelongings } from './delete-organisation.ts';
import { type CountOptions, countUploads, type UploadTotals } from './plan.ts';

/** What the deletion of an organisation would remove. */
export interface OrganisationDeletionPlan {
  readonly organisationId: string;
  readonly clients: number;
  readonly files: number;
  readonly totals: UploadTotals;
}

/**
 * Counts what an organisation has.
 *
 * @returns `deleted` when everything of it is deleted already
 *
 * @throws {UsageError} when it is not an id
 * @throws {CommandError} when there is no client and no file of it
 */
export async function planOrganisationDeletion(
  deployment: Deployment,
  organisationId: string,
  options: CountOptions,
): Promise<OrganisationDeletionPlan | 'deleted'> {
  parseNewIdentifier(organisationId, 'organisation');
  const { clients, files, left } = await countBelongings(deployment, organisationId);
  if (clients + files === 0) {
    throw new CommandError(`There is no client and no file of organisation ${quoted(organisationId)}.`);
  }
  if (left === 0) {
    return 'deleted';
  }
  const totals = await countUploads(deployment, { organisationId }, options);
  return { organisationId, clients, files, totals };
}
