import { type ActionContext, type ActionResult, entityView, type Plan } from '../description/action.ts';
import { counted, quoted } from '../text.ts';
import { cancelOutstanding } from '../uploads/cancel.ts';
import { countOutstanding, describeOutstanding } from '../uploads/outstanding.ts';
import { files } from './fields.ts';
import { fileOf, getFile, setSyncEnabled } from './file.ts';
import { waitForLastIssue } from './last-issue.ts';

/** Disables syncing for a file, and reports the number of upload URLs that still work. */
export async function disableSync({ deployment }: ActionContext, fileId: string): Promise<ActionResult> {
  const { item, changed } = await setSyncEnabled(deployment, fileId, false);
  const file = fileOf(item);
  const uploads = await countOutstanding(deployment, fileId);
  const message = changed
    ? 'Syncing is disabled. Clients get no upload URL for this file from now on.'
    : `Syncing was not enabled for ${quoted(fileId)}. Nothing was changed.`;
  return {
    message: `${message} ${describeOutstanding(uploads)}`,
    view: entityView(files, file, { ...file, uploads }),
    next:
      uploads.outstanding > 0
        ? [{ noun: 'file', verb: 'disable-sync', id: fileId, answers: { cancelUploads: 'true' } }]
        : [],
  };
}

/**
 * Counts the outstanding upload URLs of a file, and plans to disable syncing and to cancel these URLs. The
 * plan cancels the existing URLs first, then the URLs of sync requests that were in progress. A repeat is
 * safe after a crash at any point.
 *
 * @throws {OperationError} when there is no such file. The plan fails when URLs may still work
 */
export async function planDisableAndCancel({ deployment }: ActionContext, fileId: string): Promise<Plan> {
  await getFile(deployment, fileId);
  const { outstanding } = await countOutstanding(deployment, fileId);
  return {
    question:
      `This disables syncing for ${quoted(fileId)} and cancels ${counted(outstanding, 'upload URL')} through which ` +
      'bytes may still arrive. A cancelled URL responds with 412. Clients get new URLs only after syncing is enabled again.',
    run: async (context) => {
      const file = fileOf((await setSyncEnabled(deployment, fileId, false)).item);
      const first = await cancelOutstanding(context, { file: fileId }, outstanding);
      // A new name changes `updated_at` too. The wait is then longer than necessary.
      await waitForLastIssue([file.updated_at], context);
      const second = await cancelOutstanding(context, { file: fileId }, outstanding);
      const cancelled = first.cancelled + second.cancelled;
      return {
        message: `Syncing is disabled, and ${counted(cancelled, 'upload URL')} cancelled.`,
        view: entityView(files, file, { ...file, uploads: { cancelled } }),
      };
    },
  };
}
