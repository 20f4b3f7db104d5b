import { setTimeout as sleep } from 'node:timers/promises';
import { Command } from 'commander';
import { note, showOne } from '../../output.ts';
import { type AdminContext, act } from '../session.ts';
import { getUpload, watchUpload } from '../uploads.ts';
import { uploadDetails } from '../views.ts';

const pollMilliseconds = 1000;

export function uploadShowCommand(context: AdminContext): Command {
  return new Command('show')
    .summary('show one upload')
    .description('Show one upload: who, for which file, when, and what became of it.')
    .argument('<upload-id>')
    .option('--watch', 'follow it until it is completed, cancelled or expired')
    .action(
      act(context, async ({ open, output }, uploadId: string, options: { watch?: boolean }) => {
        const deployment = await open();
        const upload = options.watch
          ? await watchUpload(
              deployment,
              uploadId,
              ({ state }) => note(output, `${new Date().toISOString()} ${state}`),
              () => sleep(pollMilliseconds),
            )
          : await getUpload(deployment, uploadId);
        showOne(output, upload, uploadDetails);
      }),
    );
}
