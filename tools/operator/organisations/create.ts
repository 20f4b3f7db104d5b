import {
  type Item,
  type ItemPut,
  type ItemUpdate,
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
import type { Deployment } from '../deployment/deployment.ts';
import { keyOf, kinds, putItem, readItem, updateItem } from '../deployment/items.ts';
import { OperationError } from '../errors.ts';
import { getKeySet } from '../signing-keys/signing-key.ts';
import { quoted } from '../text.ts';

interface NewItem {
  readonly organisationId: string;
  /** True to create a deleted organisation again, although its tokens may still work. Default: false. */
  readonly recreateOrganisation?: boolean | undefined;
  readonly kind: 'client' | 'file';
  readonly put: ItemPut;
  /** Marks the new item as deleted. */
  readonly undo: ItemUpdate;
  /** Returns the error for an id that another item has. */
  readonly taken: () => Promise<OperationError>;
}

/**
 * Reads the record of an organisation.
 *
 * @throws {StoredDataError} when the item does not match storage/README.md
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
 * @throws {OperationError} when the organisation was deleted, and its tokens may still work
 */
export async function createInOrganisation(
  deployment: Deployment,
  { organisationId, recreateOrganisation = false, kind, put, undo, taken }: NewItem,
): Promise<Item> {
  const found = await readOrganisation(deployment, organisationId);
  if (found?.deleted_at !== undefined) {
    requireClosed(found);
    if (!recreateOrganisation) {
      await requireNoTokens(deployment, found);
    }
  }
  if (found === undefined || found.deleted_at !== undefined) {
    await putOrganisation(deployment, organisationId, found?.closed_at);
  }
  const suspended_at = found?.deleted_at === undefined ? found?.suspended_at : undefined;
  const created = await putItem(deployment, kind, {
    ...put,
    Item: { ...put.Item, ...textAttributes({ suspended_at }) },
  });
  if (created === 'rejected') {
    throw await taken();
  }
  const after = await readOrganisation(deployment, organisationId);
  if (after?.deleted_at !== undefined) {
    await updateItem(deployment, kind, undo);
    throw new OperationError(
      `The organisation ${quoted(organisationId)} was deleted at the same time, so the new ${kind} was deleted too. Repeat the deletion to complete it.`,
      { noun: 'organisation', verb: 'delete', id: organisationId },
    );
  }
  if (after?.suspended_at === suspended_at) {
    return created;
  }
  const key = keyOf(kind, created[kinds[kind].key]?.S ?? '');
  const changed = await updateItem(deployment, kind, updateSuspension(key, after?.suspended_at));
  return changed === 'rejected' ? created : changed;
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

/**
 * Requires a complete deletion of an organisation.
 *
 * @throws {OperationError} when the deletion is not complete
 */
function requireClosed({ organisation_id: id, deleted_at, closed_at }: StoredOrganisation): void {
  if (closed_at === undefined) {
    throw new OperationError(
      `The deletion of organisation ${quoted(id)} began at ${deleted_at}, and is not complete. Nothing was changed. Repeat the deletion, or undelete the organisation, first.`,
      { noun: 'organisation', verb: 'delete', id },
      { noun: 'organisation', verb: 'undelete', id },
    );
  }
}

/** Margin for clock differences, and for a token request that started before the end of the deletion. */
const marginMilliseconds = 60_000;

/**
 * Requires that every token of a deleted organisation has expired. Uses the longest lifetime in the key set,
 * which covers all tokens that may still work.
 */
async function requireNoTokens(
  deployment: Deployment,
  { organisation_id: id, closed_at = '', erased_at }: StoredOrganisation,
): Promise<void> {
  const { keys } = await getKeySet(deployment);
  const lifetimes = keys.map(({ token_lifetime_seconds: seconds = 0 }) => seconds * 1000);
  const end = Date.parse(closed_at) + Math.max(0, ...lifetimes) + marginMilliseconds;
  if (deployment.now() < end) {
    throw new OperationError(
      `The organisation ${quoted(id)} was deleted at ${closed_at}. Until ${timestamp(new Date(end))}, its access tokens may still ` +
        `work, and would reach the files of a new organisation ${quoted(id)}. Nothing was changed. Wait until then, ` +
        'choose another id, or confirm that the organisation is created again, so its deletion cannot be undone: --recreate-organisation.',
      ...(erased_at === undefined ? [{ noun: 'organisation', verb: 'undelete', id } as const] : []),
    );
  }
}
