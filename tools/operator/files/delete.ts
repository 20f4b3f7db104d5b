import { needsDeletion, planDeletion, planNothing } from '../deployment/deletion.ts';
import { type ActionContext, entityView, type Plan } from '../description/action.ts';
import { deleteWithUploads } from '../organisations/delete.ts';
import { counted, printable, quoted } from '../text.ts';
import { countUploads } from '../uploads/count.ts';
import { files } from './fields.ts';
import { getFile } from './file.ts';

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
