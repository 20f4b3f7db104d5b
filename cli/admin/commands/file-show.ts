import { Command } from 'commander';
import { note, type Output, showJson, showList, showOne } from '../../output.ts';
import { getFile } from '../files.ts';
import { type AdminContext, act } from '../session.ts';
import { listUploads } from '../uploads.ts';
import { fileDetails, uploadColumns } from '../views.ts';

/** What a screen holds. JSON has the whole history. */
const shownUploads = 20;

export function fileShowCommand(context: AdminContext): Command {
  return new Command('show')
    .summary('show one file, its content and its history')
    .description('Show one file, its content, and the uploads that were issued for it, newest first.')
    .argument('<file-id>')
    .action(
      act(context, async ({ open, output }, fileId: string) => {
        const deployment = await open();
        const file = await getFile(deployment, fileId);
        const limit = output.json ? undefined : shownUploads + 1;
        const history = await listUploads(deployment, { fileId }, limit);
        if (output.json) {
          showJson(output, { ...file, history });
          return;
        }
        showOne(output, file, fileDetails);
        showHistory(output, fileId, history);
      }),
    );
}

function showHistory(output: Output, fileId: string, history: Awaited<ReturnType<typeof listUploads>>): void {
  output.stdout.write('\n');
  showList(output, history.slice(0, shownUploads), uploadColumns, 'upload');
  if (history.length > shownUploads) note(output, `There are more: upload list --file ${fileId}`);
}
