import type { Deployment } from '../deployment/deployment.ts';
import type { UndoableKind } from '../deployment/retention.ts';
import { OperationError } from '../errors.ts';
import { quoted } from '../text.ts';
import { readOrganisation } from './create.ts';

/** The marks of a deletion. */
export interface Deletable {
  readonly deleted_at?: string;
  readonly delete_after?: string;
  readonly erased_at?: string;
}

/**
 * Returns the error for a deletion that cannot be undone. An item that is not deleted may be undeleted already: then
 * only the output was lost.
 */
export function cannotUndo(
  kind: UndoableKind,
  id: string,
  { deleted_at, delete_after, erased_at }: Deletable,
): OperationError {
  const name = `The ${kind} ${quoted(id)}`;
  const show = { noun: kind, verb: 'show', id } as const;
  if (deleted_at === undefined) {
    const secret = kind === 'client' ? ' If you lost its secret, add another one.' : '';
    return new OperationError(`${name} is not deleted. Nothing was changed.${secret}`, show);
  }
  const reason =
    erased_at === undefined
      ? `was kept until ${delete_after}, or changed at the same time`
      : `was erased at ${erased_at}`;
  return new OperationError(
    `${name} ${reason}, so its deletion cannot be undone. Nothing was changed.`,
    show,
  );
}

/**
 * Undoes the deletion of a client or a file, unless its organisation is deleted or was created again. If the
 * organisation is deleted at the same time, the item is deleted again, because that deletion may have missed it.
 *
 * @throws {OperationError} when the organisation is deleted, or was created after the deletion of the item
 */
export async function inUndeletedOrganisation<Result>(
  deployment: Deployment,
  { organisation_id: id, deleted_at = '' }: Deletable & { readonly organisation_id: string },
  undo: () => Promise<Result>,
  deleteAgain: () => Promise<unknown>,
): Promise<Result> {
  const organisation = await readOrganisation(deployment, id);
  if (organisation?.deleted_at !== undefined) {
    throw organisationDeleted(id);
  }
  if (organisation !== undefined && deleted_at !== '' && organisation.created_at > deleted_at) {
    throw createdAgain(id);
  }
  const result = await undo();
  if ((await readOrganisation(deployment, id))?.deleted_at !== undefined) {
    await deleteAgain();
    throw organisationDeleted(id);
  }
  return result;
}

/** Returns the error for an organisation that has a new record. */
export function createdAgain(id: string): OperationError {
  return new OperationError(
    `The organisation ${quoted(id)} was created again after this deletion. What belonged to the earlier organisation cannot be undeleted. Nothing was changed.`,
  );
}

function organisationDeleted(id: string): OperationError {
  return new OperationError(
    `The organisation ${quoted(id)} is deleted. Undelete the organisation: what was deleted with it returns too.`,
    { noun: 'organisation', verb: 'undelete', id },
  );
}
