import { Command } from 'commander';
import { showOne } from '../../output.ts';
import { cancelUpload } from '../cancel-upload.ts';
import { type AdminContext, act } from '../session.ts';
import { uploadDetails } from '../views.ts';

export function uploadCancelCommand(context: AdminContext): Command {
  return new Command('cancel')
    .summary('close an outstanding upload URL')
    .description(
      'Close an outstanding upload URL: from then on it answers 412.\n' +
        'An upload that is completed, cancelled or expired stays as it is, and the command fails.',
    )
    .argument('<upload-id>')
    .action(
      act(context, async ({ open, output }, uploadId: string) => {
        showOne(output, await cancelUpload(await open(), uploadId), uploadDetails);
      }),
    );
}
