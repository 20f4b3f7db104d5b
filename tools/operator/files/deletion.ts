import { updateToUndeleted } from '../../../storage/attributes.ts';
import { timeOf } from '../deployment/aws-clock.ts';
import {
  beginUndo,
  changeDeleted,
  needsDeletion,
  planDeletion,
  planNothing,
  requireDeleted,
} from '../deployment/deletion.ts';
import { inParallel } from '../deployment/in-parallel.ts';
import { keyOf } from '../deployment/items.ts';
import { deleteVersions, findCovers } from '../deployment/objects.ts';
import { type ActionContext, type ActionResult, entityView, type Plan } from '../description/action.ts';
import { inUndeletedOrganisation } from '../organisations/create.ts';
import { deleteWithUploads } from '../organisations/delete.ts';
import { counted, printable, quoted } from '../text.ts';
import { countUploads } from '../uploads/count.ts';
import { undeleteUploads } from '../uploads/deletion.ts';
import { files } from './fields.ts';
import { type File, getFile, newPeriod } from './file.ts';
import { waitForLastIssue } from './last-issue.ts';

/**
 * Counts the uploads of a file, and plans its deletion.
 *
 * @throws {OperationError} when there is no such file
 */
export async function planFileDeletion(
  { deployment }: ActionContext,
  id: string,
  erasesContent: boolean,
): Promise<Plan> {
  const file = await getFile(deployment, id);
  if (!needsDeletion(file, erasesContent)) {
    return planNothing('file', id, 'The file');
  }
  const erases = erasesContent || file.erased_at !== undefined;
  const { text } = await countUploads(deployment, { file: id });
  return planDeletion(deployment, {
    kind: 'file',
    id,
    erases,
    about: `the file ${quoted(id)} (${printable(file.name)}) of organisation ${quoted(file.organisation_id)}: ${text}. Clients get 404 for the file immediately.`,
    run: async (context) => {
      const { uploads, cancelled } = await deleteWithUploads(context, 'file', id, erases);
      const deleted = await getFile(deployment, id);
      return {
        message: `The file was deleted, with ${counted(uploads, 'upload')}. ${counted(cancelled, 'upload URL')} cancelled.`,
        view: entityView(files, deleted, { ...deleted, uploads, cancelled }),
        end: deleted.delete_after,
      };
    },
  });
}

/**
 * Undoes the deletion of one file.
 *
 * @throws {OperationError} when the file is not deleted, its record has ended, or its organisation is deleted
 */
export async function undeleteFile(context: ActionContext, fileId: string): Promise<ActionResult> {
  const { deployment } = context;
  const file = await getFile(deployment, fileId);
  const report = await inUndeletedOrganisation(deployment, 'file', fileId, file, () =>
    undeleteFiles(context, [file]),
  );
  const restored = await getFile(deployment, fileId);
  return {
    message: `The file was undeleted, with ${counted(report.uploads, 'upload')}. ${describeLost(report.lost)}`,
    view: entityView(files, restored, {
      ...restored,
      uploads: report.uploads,
      content_lost: report.lost.length > 0,
    }),
  };
}

/** Names the files whose content does not return. */
export function describeLost(lost: readonly string[]): string {
  return lost.length === 0
    ? 'All content is complete.'
    : `The content of ${counted(lost.length, 'file')} does not return, because S3 no longer has it: ${lost.map(quoted).join(', ')}.`;
}

/**
 * Undoes the deletion of files. The end of each record is taken away first. A deletion that still runs notices this
 * before its next page of uploads. So this waits before it restores the records of uploads, the content, and each file
 * last. A repeat is safe after a crash at any point.
 *
 * @returns the number of restored uploads, and the ids of the files whose content does not return
 * @throws {OperationError} when a file is not deleted, its record has ended, or it is deleted again
 */
export async function undeleteFiles(context: ActionContext, deleted: readonly File[]) {
  const { deployment, progress } = context;
  const at = timeOf(deployment);
  await inParallel(deleted, (file) => beginUndo(deployment, 'file', file.file_id, file, at));
  if (deleted.length > 0) {
    await waitForLastIssue(at, context);
  }
  const lost: string[] = [];
  let [uploads, done] = [0, 0];
  await inParallel(deleted, async (file) => {
    const { file_id: id, content } = file;
    const requireUndo = () => requireDeleted(deployment, 'file', id, at);
    const covers = content && (await findCovers(deployment, content.key, content.version_id));
    const lostContent = covers === undefined ? content : undefined;
    const restored = await undeleteUploads(deployment, id, lostContent?.upload_id, requireUndo);
    uploads += restored;
    if (lostContent !== undefined) {
      lost.push(id);
    } else if (content !== undefined) {
      await requireUndo();
      await deleteVersions(deployment, content.key, covers ?? []);
    }
    const update = updateToUndeleted(
      keyOf('file', id),
      at,
      newPeriod(deployment, file),
      lostContent === undefined ? [] : ['content'],
    );
    await changeDeleted(deployment, 'file', id, update);
    done += 1;
    progress(`Undeleting: ${done} of ${counted(deleted.length, 'file')}.`);
  });
  return { uploads, lost };
}
