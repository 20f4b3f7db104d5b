import { type Timestamp, updateSuspension } from '../../../storage/attributes.ts';
import { timeOf } from '../deployment/aws-clock.ts';
import { inParallel } from '../deployment/in-parallel.ts';
import { keyOf, requireNotDeleted, updateItem } from '../deployment/items.ts';
import type { ActionContext, ActionResult } from '../description/action.ts';
import { OperationError } from '../errors.ts';
import { waitForLastIssue } from '../files/last-issue.ts';
import { counted, quoted } from '../text.ts';
import { cancelOutstanding } from '../uploads/cancel.ts';
import { everythingOf } from './delete.ts';
import { getStoredOrganisation } from './organisation.ts';

/**
 * Suspends an organisation, and cancels its open upload URLs on request.
 *
 * @throws {OperationError} when there is no such organisation, it is deleted, or a URL may still work
 */
export async function suspendOrganisation(
  context: ActionContext,
  id: string,
  cancelsUploads: boolean,
): Promise<ActionResult> {
  let cancelled = 0;
  const { sentence, json } = await markAll(context, id, timeOf(context.deployment), async () => {
    if (cancelsUploads) {
      cancelled += (await cancelOutstanding(context, { organisation: id }, 0)).cancelled;
    }
  });
  return {
    message: `The organisation is suspended: ${sentence} now. ${counted(cancelled, 'upload URL')} cancelled.`,
    view: { json: { ...json, cancelled } },
    next: [{ noun: 'organisation', verb: 'resume', id }],
  };
}

/**
 * Undoes a suspension. A repeat resumes clients and files that an interrupted run left suspended.
 *
 * @throws {OperationError} when there is no such organisation, or it is deleted
 */
export async function resumeOrganisation(context: ActionContext, id: string): Promise<ActionResult> {
  const { sentence, json } = await markAll(context, id, undefined);
  return { message: `The organisation is not suspended: ${sentence} resumed.`, view: { json } };
}

/**
 * Marks an organisation first, so that new clients and files follow it, and then its clients and files, including
 * deleted ones, which an undo may restore. The second pass marks those that the index lacked in the first pass.
 *
 * @param suspendedAt undefined to remove the marks
 * @param afterPass called after each pass
 */
async function markAll(
  context: ActionContext,
  id: string,
  suspendedAt: Timestamp | undefined,
  afterPass = async () => {},
) {
  const { deployment, progress } = context;
  const { deleted_at } = await getStoredOrganisation(deployment, id);
  requireNotDeleted('organisation', id, deleted_at);
  await updateItem(deployment, 'organisation', updateSuspension(keyOf('organisation', id), suspendedAt));
  const needsMark = ({ suspended_at }: { readonly suspended_at?: string }) =>
    (suspended_at === undefined) !== (suspendedAt === undefined);
  const total = { client: 0, file: 0 };
  const mark = async (kind: 'client' | 'file', itemId: string) => {
    const update = updateSuspension(keyOf(kind, itemId), suspendedAt);
    const isMarked = (await updateItem(deployment, kind, update)) !== 'rejected';
    total[kind] += isMarked ? 1 : 0;
    progress(`Marking: ${counted(total.client, 'client')} and ${counted(total.file, 'file')}.`);
  };
  const pass = async () => {
    if (needsMark(await getStoredOrganisation(deployment, id))) {
      throw new OperationError(
        `Another operator suspends or resumes the organisation ${quoted(id)} at the same time. This action stopped. Repeat the one that you want: that is safe.`,
      );
    }
    const { clients, files } = await everythingOf(context, id);
    await inParallel(clients.filter(needsMark), ({ client_id }) => mark('client', client_id));
    await inParallel(files.filter(needsMark), ({ file_id }) => mark('file', file_id));
    await afterPass();
  };
  await pass();
  await waitForLastIssue([timeOf(deployment)], context);
  await pass();
  return {
    sentence: `${counted(total.client, 'client')} and ${counted(total.file, 'file')}`,
    json: { organisation_id: id, clients: total.client, files: total.file },
  };
}
