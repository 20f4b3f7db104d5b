import {
  type Item,
  type ItemPut,
  type Timestamp,
  textAttributes,
  timestamp,
  updateSuspension,
} from '../../../storage/attributes.ts';
import {
  organisationFromItem,
  putNewOrganisation,
  type StoredOrganisation,
} from '../../../storage/organisation.ts';
import { timeOf } from '../deployment/aws-clock.ts';
import { type Deletable, markDeleted } from '../deployment/deletion.ts';
import type { Deployment } from '../deployment/deployment.ts';
import { getItem, keyOf, kinds, putItem, readItem, updateItem } from '../deployment/items.ts';
import { OperationError } from '../errors.ts';
import { getKeySet } from '../signing-keys/signing-key.ts';
import { quoted } from '../text.ts';

interface NewItem {
  readonly organisationId: string;
  readonly kind: 'client' | 'file';
  readonly id: string;
  readonly put: ItemPut;
}

/**
 * Reads the record of an organisation.
 *
 * @throws {StoredDataError} when the item does not match docs/stored-items.md
 */
export async function readOrganisation(
  deployment: Deployment,
  organisationId: string,
): Promise<StoredOrganisation | undefined> {
  const item = await readItem(deployment, 'organisation', organisationId);
  return item && organisationFromItem(item);
}

/**
 * Creates a client or a file. Creates its organisation first, if there is none. If the organisation is
 * deleted, suspended or resumed at the same time, so is the new item, because that action may have missed it.
 *
 * @throws {OperationError} when the id is taken, or the organisation was deleted, and its tokens may still work
 */
export async function createInOrganisation(
  deployment: Deployment,
  { organisationId, kind, id, put }: NewItem,
): Promise<Item> {
  const at = timeOf(deployment);
  const found = await readOrganisation(deployment, organisationId);
  const isLive = found !== undefined && found.deleted_at === undefined;
  if (!isLive) {
    await (found && requireEnded(deployment, found));
    await putOrganisation(deployment, organisationId, found?.closed_at);
  }
  const suspended_at = isLive ? found.suspended_at : undefined;
  const created = await putItem(deployment, kind, {
    ...put,
    Item: { ...put.Item, ...textAttributes({ suspended_at }) },
  });
  if (created === 'rejected') {
    throw await idTaken(deployment, kind, id);
  }
  const after = await readOrganisation(deployment, organisationId);
  if (after?.deleted_at !== undefined) {
    await markDeleted(deployment, kind, id, false, at);
    throw new OperationError(
      `The organisation ${quoted(organisationId)} was deleted at the same time, so the new ${kind} was deleted too. Repeat the deletion to complete it.`,
      { noun: 'organisation', verb: 'delete', id: organisationId },
    );
  }
  if (after?.suspended_at === suspended_at) {
    return created;
  }
  const changed = await updateItem(deployment, kind, updateSuspension(keyOf(kind, id), after?.suspended_at));
  return changed === 'rejected' ? created : changed;
}

/**
 * Returns the error for an id that is taken. The id of a deleted file stays taken until its record is
 * removed, when no upload can arrive for the file any more.
 */
async function idTaken(deployment: Deployment, kind: NewItem['kind'], id: string): Promise<OperationError> {
  const { deleted_at, delete_after } = kinds[kind].parse(await getItem(deployment, kind, id));
  if (deleted_at === undefined) {
    return new OperationError(`A ${kind} ${quoted(id)} already exists.`);
  }
  const free =
    delete_after === undefined
      ? `Its deletion is not complete: delete the ${kind} again.`
      : `Its id is free when DynamoDB has removed its record, within a few days after ${delete_after}.`;
  return new OperationError(`A ${kind} ${quoted(id)} was deleted at ${deleted_at}. ${free}`);
}

/**
 * Writes the record of a new organisation. An existing record stays unchanged.
 *
 * @param replaced `closed_at` of the deleted organisation, to replace its record
 */
export async function putOrganisation(deployment: Deployment, organisationId: string, replaced?: Timestamp) {
  const put = putNewOrganisation(organisationId, timeOf(deployment), replaced);
  await putItem(deployment, 'organisation', put);
}

/** Margin for clock differences, and for a token request that started before the end of the deletion. */
const marginMilliseconds = 60_000;

/**
 * Requires that the deletion of an organisation is complete, and that every token of the organisation has expired. Uses
 * the longest lifetime in the key set, which covers all tokens that may still work.
 *
 * @throws {OperationError} when the deletion is not complete, or a token may still work
 */
async function requireEnded(
  deployment: Deployment,
  { organisation_id: id, deleted_at, closed_at, erased_at }: StoredOrganisation,
): Promise<void> {
  const undeletion = { noun: 'organisation', verb: 'undelete', id } as const;
  if (closed_at === undefined) {
    throw new OperationError(
      `The deletion of organisation ${quoted(id)} began at ${deleted_at}, and is not complete. Nothing was changed. Repeat the deletion, or undelete the organisation, first.`,
      { noun: 'organisation', verb: 'delete', id },
      undeletion,
    );
  }
  const { keys } = await getKeySet(deployment);
  const lifetimes = keys.map(({ token_lifetime_seconds: seconds = 0 }) => seconds * 1000);
  const end = Date.parse(closed_at) + Math.max(0, ...lifetimes) + marginMilliseconds;
  if (deployment.now() < end) {
    throw new OperationError(
      `The organisation ${quoted(id)} was deleted at ${closed_at}. Until ${timestamp(end)}, its access tokens may still ` +
        `work, and would reach the files of a new organisation ${quoted(id)}. Nothing was changed. Wait until then, ` +
        'or choose another id.',
      ...(erased_at === undefined ? [undeletion] : []),
    );
  }
}

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
