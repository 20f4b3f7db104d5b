import { setTimeout as sleep } from 'node:timers/promises';
import { Command } from 'commander';
import { note, type Output, showOne } from '../../output.ts';
import { type AdminContext, act } from '../session.ts';
import { getUpload, type WatchOptions, watchUpload } from '../uploads.ts';
import { uploadDetails } from '../views.ts';

const pollMilliseconds = 1000;

/** A local run that is started again, or a network that changes, is back within this time. */
const patienceMilliseconds = 60_000;

export function uploadShowCommand(context: AdminContext): Command {
  return new Command('show')
    .summary('show one upload')
    .description('Show one upload: who, for which file, when, and what became of it.')
    .argument('<upload-id>')
    .option(
      '--watch',
      'follow it until it is completed, cancelled or expired; AWS may be out of reach for 60 s',
    )
    .action(
      act(context, async ({ open, output }, uploadId: string, options: { watch?: boolean }) => {
        const deployment = await open();
        const upload = options.watch
          ? await watchUpload(deployment, uploadId, watching(output))
          : await getUpload(deployment, uploadId);
        showOne(output, upload, uploadDetails);
      }),
    );
}

function watching(output: Output): WatchOptions {
  const tell = (sentence: string) => note(output, `${new Date().toISOString()} ${sentence}`);
  return {
    changed: ({ state }) => tell(state),
    unreachable: (reason) =>
      tell(`AWS does not answer: ${reason}. Waiting up to ${patienceMilliseconds / 1000} s for it.`),
    pause: () => sleep(pollMilliseconds),
    patienceMilliseconds,
    now: () => performance.now(),
  };
}
