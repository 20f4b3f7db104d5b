import { Command, Option } from 'commander';
import { UsageError } from '../../errors.ts';
import { parseNewIdentifier } from '../../identifiers.ts';
import { showList } from '../../output.ts';
import type { Deployment } from '../deployment.ts';
import { getFile } from '../files.ts';
import { type AdminContext, act } from '../session.ts';
import { listUploads, type UploadSelection, type UploadState, uploadStates } from '../uploads.ts';
import { uploadColumns } from '../views.ts';

interface Options {
  readonly file?: string;
  readonly organisation?: string;
  readonly state?: UploadState;
}

export function uploadListCommand(context: AdminContext): Command {
  return new Command('list')
    .summary('list the uploads for a file, or of an organisation')
    .description('List the uploads for a file, or of an organisation, newest first.')
    .option('--file <file-id>', 'those for this file')
    .option('--organisation <id>', 'those of this organisation')
    .addOption(new Option('--state <state>', 'only those in this state').choices(uploadStates))
    .addHelpText('after', '\nExample:\n  admin --local upload list --file orders --state completed')
    .action(
      act(context, async ({ open, output }, options: Options) => {
        const selection = parseSelection(options);
        const deployment = await open();
        await refuseUnknownFile(deployment, selection);
        const uploads = await listUploads(deployment, selection);
        const { state } = options;
        const shown = state === undefined ? uploads : uploads.filter((upload) => upload.state === state);
        showList(output, shown, uploadColumns, 'upload');
      }),
    );
}

function parseSelection({ file, organisation }: Options): UploadSelection {
  if (file !== undefined && organisation === undefined) return { fileId: file };
  if (organisation !== undefined && file === undefined) {
    return { organisationId: parseNewIdentifier(organisation, 'organisation') };
  }
  throw new UsageError('Say whose uploads are meant: --file ID or --organisation ID, one of them.');
}

/** An empty list for a mistyped file id would read as if nothing had been uploaded. */
async function refuseUnknownFile(deployment: Deployment, selection: UploadSelection): Promise<void> {
  if ('fileId' in selection) await getFile(deployment, selection.fileId);
}
