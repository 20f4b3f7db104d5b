import { type Timestamp, updateSuspension } from '../../../storage/attributes.ts';
import type { StoredOrganisation } from '../../../storage/organisation.ts';
import { timeOf } from '../deployment/aws-clock.ts';
import { keyOf, requireNotDeleted, updateItem } from '../deployment/items.ts';
import type { ActionContext, ActionResult } from '../description/action.ts';
import { OperationError } from '../errors.ts';
import { newPeriod } from '../files/file.ts';
import { waitForLastIssue } from '../files/last-issue.ts';
import { counted, quoted } from '../text.ts';
import { cancelOutstanding } from '../uploads/cancel.ts';
import { forEachItem, getStoredOrganisation } from './organisation.ts';

/** Note about upload URLs that a suspension does not cancel. */
export const issuedUrlsWork = 'Upload URLs already issued work until they expire.';

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
  const { sentence, json } = await markAll(context, id, timeOf(context.deployment));
  const { cancelled } = cancelsUploads
    ? await cancelOutstanding(context, { organisation: id })
    : { cancelled: 0 };
  const urls = cancelsUploads ? `${counted(cancelled, 'upload URL')} cancelled.` : issuedUrlsWork;
  return {
    message: `The organisation is suspended, with ${sentence} that were not suspended before. ${urls}`,
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
 */
async function markAll(context: ActionContext, id: string, suspendedAt: Timestamp | undefined) {
  const { deployment, progress } = context;
  requireNotDeleted('organisation', id, await getStoredOrganisation(deployment, id));
  await updateItem(deployment, 'organisation', updateSuspension(keyOf('organisation', id), suspendedAt));
  const needsMark = ({ suspended_at }: Pick<StoredOrganisation, 'suspended_at'>) =>
    (suspended_at === undefined) !== (suspendedAt === undefined);
  const requireMark = async () => {
    if (needsMark(await getStoredOrganisation(deployment, id))) {
      throw new OperationError(
        `Another operator suspends or resumes the organisation ${quoted(id)} at the same time. This action stopped. Repeat the one that you want: that is safe.`,
      );
    }
  };
  const total = { client: 0, file: 0 };
  const pass = () =>
    forEachItem(deployment, id, requireMark, async (kind, itemId, item) => {
      // Starts a new period of a watched file. So a suspended file is not overdue either.
      const update = updateSuspension(keyOf(kind, itemId), suspendedAt, newPeriod(deployment, item));
      if (needsMark(item) && (await updateItem(deployment, kind, update)) !== 'rejected') {
        total[kind] += 1;
        progress(`Marking: ${counted(total.file, 'file')} and ${counted(total.client, 'client')}.`);
      }
    });
  await pass();
  await waitForLastIssue(timeOf(deployment), context);
  await pass();
  return {
    sentence: `${counted(total.client, 'client')} and ${counted(total.file, 'file')}`,
    json: { organisation_id: id, clients: total.client, files: total.file },
  };
}

/** Adds to the result of a change that the organisation is suspended, so the client or file stays stopped. */
export function whileSuspended(
  { organisation_id: id, suspended_at }: Pick<StoredOrganisation, 'organisation_id' | 'suspended_at'>,
  result: ActionResult,
): ActionResult {
  return suspended_at === undefined
    ? result
    : {
        ...result,
        message: `${result.message}\nThe organisation ${quoted(id)} is suspended: its clients get no tokens, and its files no upload URLs, until it is resumed.`,
        next: [{ noun: 'organisation', verb: 'resume', id }, ...(result.next ?? [])],
      };
}
