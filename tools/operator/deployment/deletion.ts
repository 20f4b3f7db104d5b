import {
  daysAfter,
  type Item,
  type ItemUpdate,
  type Timestamp,
  updateDeleteAfter,
  updateToDeleted,
  updateToUndeleting,
} from '../../../storage/attributes.ts';
import { updateToDeletedClient } from '../../../storage/client.ts';
import type { ActionContext, ActionResult, Plan } from '../description/action.ts';
import { OperationError } from '../errors.ts';
import { counted, quoted } from '../text.ts';
import { timeOf } from './aws-clock.ts';
import type { Deployment } from './deployment.ts';
import { type Change, changeItem, type Kind, keyOf, kinds, readItem, updateItem } from './items.ts';

// A deletion first marks the record, which blocks new work. Its last step writes `delete_after` into the
// record, to mark the deletion as complete. So a deletion can be repeated after a crash at any point.

/** Kinds whose deletion can be undone. */
export type DeletableKind = 'client' | 'file' | 'organisation';

/** The marks of a deletion. */
export interface Deletable {
  readonly deleted_at?: string;
  readonly delete_after?: string;
  readonly undeleted_at?: string;
  readonly erased_at?: string;
}

/**
 * Returns true if an item is not deleted, or its deletion is not complete.
 *
 * @param erases true if its content must be erased too
 */
export function needsDeletion({ delete_after, erased_at }: Deletable, erases = false): boolean {
  return delete_after === undefined || (erases && erased_at === undefined);
}

/** A deletion that an operator requests. */
interface RequestedDeletion {
  readonly kind: DeletableKind;
  readonly id: string;
  /** True to erase content too. */
  readonly erases: boolean;
  /** Data to delete, and the effect on clients, in sentences. */
  readonly about: string;
  /**
   * Deletes the data.
   *
   * @returns the result, with the time until which the records are kept. Undefined if damaged items were left
   */
  readonly run: (
    context: ActionContext,
  ) => Promise<Omit<ActionResult, 'next'> & { readonly end: Timestamp | undefined }>;
}

/**
 * Plans a deletion. Describes before and after it how long it can be undone, and with which command. Then AWS removes
 * the data.
 */
export function planDeletion(
  { outputs }: Deployment,
  { kind, id, erases, about, run }: RequestedDeletion,
): Plan {
  const kept = counted(Number(outputs.SupersededRetentionDays), 'day');
  const effect = erases
    ? `This cannot be undone: content is erased immediately. AWS removes the records, which contain no content, after ${kept}.`
    : `For ${kept}, this can be undone: ${kind} undelete ${id}. Then AWS removes the deleted data.`;
  return {
    question: `This deletes ${about} ${effect}`,
    run: async (context) => {
      const { message, view, end } = await run(context);
      const canBeUndone = end !== undefined && !erases;
      return {
        message: `${message} ${untilText(end, erases)}`,
        view,
        next: canBeUndone ? [{ noun: kind, verb: 'undelete', id }] : [],
      };
    },
  };
}

function untilText(end: Timestamp | undefined, erases: boolean): string {
  if (end === undefined) {
    return 'The deletion is not complete: repair the damaged items, and repeat the deletion.';
  }
  return erases
    ? `All content was erased. Records without content are kept until ${end}, and in backups of the tables for 35 days longer.`
    : `Until ${end}, this can be undone.`;
}

/**
 * Plans the repeat of a complete deletion.
 *
 * @param what deleted entity, as the start of a sentence
 */
export function planNothing(kind: DeletableKind, id: string, what: string): Plan {
  const message = `${what} ${quoted(id)} is already deleted. Nothing was changed.`;
  const json = { [kinds[kind].key]: id, already_deleted: true };
  return { run: async () => ({ message, view: { json } }) };
}

/**
 * Returns the time after which AWS may remove a record that is deleted now: after the retention time of
 * replaced content.
 */
export function endOfRetention(deployment: Deployment): Timestamp {
  return daysAfter(timeOf(deployment), Number(deployment.outputs.SupersededRetentionDays));
}

/**
 * Begins a deletion. From then on, a client gets no tokens and has no secrets. A file is 404 for clients, and its
 * arriving bytes are discarded. An organisation gets no new clients and files. Stops an undo.
 *
 * @param erases true to rule out an undo. A client has no content to erase
 * @throws {OperationError} when there is no such item
 */
export function markDeleted(
  deployment: Deployment,
  kind: DeletableKind,
  id: string,
  erases?: boolean,
  at?: Timestamp,
): Promise<Change> {
  return changeItem(deployment, kind, id, updateToMark(deployment, kind, id, erases, at));
}

/** Returns the update that begins a deletion. */
export function updateToMark(
  deployment: Deployment,
  kind: DeletableKind,
  id: string,
  erases = false,
  at = timeOf(deployment),
): ItemUpdate {
  return kind === 'client' ? updateToDeletedClient(id, at) : updateToDeleted(keyOf(kind, id), at, erases);
}

/**
 * Minimum days to keep the record of a deleted organisation: longer than its tokens work, which is at most a
 * day.
 */
const minimumRecordDays = 2;

/**
 * Completes a deletion, once all uploads are deleted: sets the time after which DynamoDB removes the record.
 *
 * @param erases true if this deletion is the erasure
 */
export function finishDeletion(
  deployment: Deployment,
  kind: DeletableKind,
  id: string,
  erases = false,
): Promise<Item> {
  const now = timeOf(deployment);
  const end = endOfRetention(deployment);
  const endOfTokens = daysAfter(now, minimumRecordDays);
  const update =
    kind === 'organisation'
      ? updateDeleteAfter(keyOf(kind, id), end > endOfTokens ? end : endOfTokens, erases, now)
      : updateDeleteAfter(keyOf(kind, id), end, erases && kind === 'file');
  return changeDeleted(deployment, kind, id, update);
}

/**
 * Begins the undo of a deletion, so that DynamoDB no longer removes the item.
 *
 * @throws {OperationError} when the item is not deleted, its content is erased, or its record has ended
 */
export async function beginUndo(
  deployment: Deployment,
  kind: DeletableKind,
  id: string,
  { deleted_at, delete_after, erased_at }: Deletable,
  at: Timestamp,
): Promise<void> {
  const name = `The ${kind} ${quoted(id)}`;
  if (deleted_at === undefined) {
    throw new OperationError(
      `${name} is not deleted. Nothing was changed.${ifNotDeleted[kind]}`,
      kind === 'client' ? { noun: kind, verb: 'add-secret', id } : { noun: kind, verb: 'show', id },
    );
  }
  const update = updateToUndeleting(keyOf(kind, id), deleted_at, at);
  if ((await updateItem(deployment, kind, update)) === 'rejected') {
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
const ifNotDeleted: Readonly<Record<DeletableKind, string>> = {
  client: ' If you lost its secret, add another one.',
  file: '',
  organisation: ' If it was created again, the clients and files of the earlier organisation stay deleted.',
};

/**
 * Changes an item only while its deletion, or the undo of the deletion, lasts.
 *
 * @throws {OperationError} when another operator undoes the deletion, or deletes again
 */
export async function changeDeleted(
  deployment: Deployment,
  kind: Kind,
  id: string,
  update: ItemUpdate,
): Promise<Item> {
  const item = await updateItem(deployment, kind, update);
  if (item === 'rejected') {
    throw overtaken(kind, id);
  }
  return item;
}

/**
 * Requires that the deletion of an item lasts, or that the undo which began at a time lasts. A deletion and an undo
 * check this before each page of uploads.
 *
 * @param undeletedAt start of the undo. Undefined for a deletion
 * @throws {OperationError} when another operator undoes the deletion, or deletes again
 */
export async function requireDeleted(
  deployment: Deployment,
  kind: Kind,
  id: string,
  undeletedAt?: string,
): Promise<void> {
  const { deleted_at, undeleted_at } = (await readItem(deployment, kind, id)) ?? {};
  if (deleted_at === undefined || undeleted_at?.S !== undeletedAt) {
    throw overtaken(kind, id);
  }
}

function overtaken(kind: Kind, id: string): OperationError {
  return new OperationError(
    `Another operator undoes the deletion of the ${kind} ${quoted(id)}, or deletes it again. This action stopped. Wait until that action ends, and repeat the one that you want: that is safe.`,
  );
}
