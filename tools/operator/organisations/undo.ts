import type { ItemUpdate, Timestamp } from '../../../storage/attributes.ts';
import { updateToUndeleting } from '../../../storage/attributes.ts';
import { timeOf } from '../deployment/aws-clock.ts';
import type { Deployment } from '../deployment/deployment.ts';
import { keyOf, updateItem } from '../deployment/items.ts';
import type { Deletable, UndoableKind } from '../deployment/retention.ts';
import { OperationError } from '../errors.ts';
import { quoted } from '../text.ts';
import { readOrganisation } from './create.ts';

/**
 * Begins the undo of a deletion, so that DynamoDB no longer removes the item.
 *
 * @throws {OperationError} when the item is not deleted, its content is erased, or its record has ended
 */
export async function beginUndo(
  deployment: Deployment,
  kind: UndoableKind,
  id: string,
  deleted: Deletable,
  at: Timestamp,
): Promise<void> {
  const { deleted_at, delete_after, erased_at } = deleted;
  const name = `The ${kind} ${quoted(id)}`;
  if (deleted_at === undefined) {
    throw new OperationError(`${name} is not deleted. Nothing was changed.${ifNotDeleted[kind]}`, {
      ...(kind === 'client' ? { noun: kind, verb: 'add-secret', id } : { noun: kind, verb: 'show', id }),
    });
  }
  if (
    (await updateItem(deployment, kind, updateToUndeleting(keyOf(kind, id), deleted_at, at))) === 'rejected'
  ) {
    const reason =
      erased_at === undefined
        ? `was kept until ${delete_after}, or changed at the same time`
        : `was erased at ${erased_at}`;
    throw new OperationError(`${name} ${reason}, so its deletion cannot be undone. Nothing was changed.`, {
      noun: kind,
      verb: 'show',
      id,
    });
  }
}

/** Advice for an item that is not deleted. It may be undeleted already: then only the output was lost. */
const ifNotDeleted: Readonly<Record<UndoableKind, string>> = {
  client: ' If you lost its secret, add another one.',
  file: '',
  organisation: ' If it was created again, the clients and files of the earlier organisation stay deleted.',
};

/**
 * Undoes the deletion of a client or a file, unless its organisation is deleted or was created again. If the
 * organisation is deleted at the same time, the item is deleted again, because that deletion may have missed it.
 *
 * @throws {OperationError} when the organisation is deleted, or was created after the deletion of the item
 */
export async function inUndeletedOrganisation<Result>(
  deployment: Deployment,
  kind: 'client' | 'file',
  { organisation_id: id, deleted_at }: Deletable & { readonly organisation_id: string },
  undo: () => Promise<Result>,
  deletionAt: (at: Timestamp) => ItemUpdate,
): Promise<Result> {
  const organisation = await readOrganisation(deployment, id);
  if (organisation?.deleted_at !== undefined) {
    throw organisationDeleted(id);
  }
  if (organisation !== undefined && deleted_at !== undefined && organisation.created_at > deleted_at) {
    throw new OperationError(
      `The organisation ${quoted(id)} was created again after this deletion. What belonged to the earlier organisation cannot be undeleted. Nothing was changed.`,
    );
  }
  const result = await undo();
  if ((await readOrganisation(deployment, id))?.deleted_at !== undefined) {
    await updateItem(deployment, kind, deletionAt(timeOf(deployment)));
    throw organisationDeleted(id);
  }
  return result;
}

function organisationDeleted(id: string): OperationError {
  return new OperationError(
    `The organisation ${quoted(id)} is deleted. Undelete the organisation: what was deleted with it returns too.`,
    { noun: 'organisation', verb: 'undelete', id },
  );
}
