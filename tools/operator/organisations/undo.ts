import type { StoredOrganisation } from '../../../storage/organisation.ts';
import { type Deletable, markDeleted } from '../deployment/deletion.ts';
import type { Deployment } from '../deployment/deployment.ts';
import { OperationError } from '../errors.ts';
import { quoted } from '../text.ts';
import { readOrganisation } from './create.ts';

/**
 * Undoes the deletion of a client or a file, unless its organisation is deleted or was created again. If the
 * organisation is deleted at the same time, the item is deleted again, because that deletion may have missed it.
 *
 * @throws {OperationError} when the organisation is deleted, or was created after the deletion of the item
 */
export async function inUndeletedOrganisation<Result>(
  deployment: Deployment,
  kind: 'client' | 'file',
  itemId: string,
  { organisation_id: id, deleted_at }: Deletable & { readonly organisation_id: string },
  undo: () => Promise<Result>,
): Promise<Result> {
  const organisation = await readOrganisation(deployment, id);
  if (organisation?.deleted_at !== undefined) {
    throw organisationDeleted(organisation);
  }
  if (organisation !== undefined && deleted_at !== undefined && organisation.created_at > deleted_at) {
    throw new OperationError(
      `The organisation ${quoted(id)} was created again after this deletion. What belonged to the earlier organisation cannot be undeleted. Nothing was changed.`,
    );
  }
  const result = await undo();
  const after = await readOrganisation(deployment, id);
  if (after?.deleted_at !== undefined) {
    await markDeleted(deployment, kind, itemId);
    throw organisationDeleted(after);
  }
  return result;
}

function organisationDeleted({ organisation_id: id, erased_at }: StoredOrganisation): OperationError {
  if (erased_at !== undefined) {
    return new OperationError(
      `The organisation ${quoted(id)} was erased at ${erased_at}, so nothing of it can be undeleted.`,
    );
  }
  return new OperationError(
    `The organisation ${quoted(id)} is deleted. Undelete the organisation: what was deleted with it returns too.`,
    { noun: 'organisation', verb: 'undelete', id },
  );
}
