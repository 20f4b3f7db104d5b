import { setTimeout as sleep } from 'node:timers/promises';
import { Command } from 'commander';
import type { Deployment } from '../../operator/deployment/deployment.ts';
import { OperationError } from '../../operator/errors.ts';
import { counted, printable } from '../../operator/text.ts';
import { cancelUpload } from '../../operator/uploads/cancel.ts';
import { mayBeUnderWay, underWayNote } from '../../operator/uploads/outstanding.ts';
import { reconcileUploads } from '../../operator/uploads/reconcile.ts';
import { replayUploads } from '../../operator/uploads/replay.ts';
import { getUpload, type Upload } from '../../operator/uploads/upload.ts';
import { jsonText, note, showOne } from '../../terminal/output.ts';
import { withContentType } from './form-warning.ts';
import { uploadListCommand } from './list.ts';
import { type AdminContext, act, type MakeCommand } from './session.ts';
import { details } from './views.ts';

/** The commands of `admin upload`. */
export const uploadCommands: readonly MakeCommand[] = [
  uploadListCommand,
  showCommand,
  cancelCommand,
  replayCommand,
  reconcileCommand,
];

function showCommand(context: AdminContext): Command {
  return new Command('show')
    .summary('show one upload')
    .description('Show one upload: its client, its file, its times and its state.')
    .argument('<upload-id>')
    .option('--watch', 'wait until the upload is completed, cancelled or expired')
    .action(
      act(context, async ({ open, output, typed }, uploadId: string, options: { watch?: boolean }) => {
        const deployment = await open();
        const upload = options.watch
          ? await untilEnded(deployment, uploadId)
          : await getUpload(deployment, uploadId);
        const shown =
          upload.state === 'completed' ? await withContentType(deployment, output, upload) : upload;
        showOne(output, shown, details);
        if (mayBeUnderWay(upload, Date.now())) {
          note(output, `${underWayNote} To refuse it: ${typed('upload', 'cancel', upload.upload_id)}`);
        }
      }),
    );
}

const watchPollMilliseconds = 1000;

async function untilEnded(deployment: Deployment, uploadId: string): Promise<Upload> {
  for (;;) {
    const upload = await getUpload(deployment, uploadId);
    if (upload.state !== 'issued') {
      return upload;
    }
    await sleep(watchPollMilliseconds);
  }
}

function cancelCommand(context: AdminContext): Command {
  return new Command('cancel')
    .summary('close an upload URL that was not used yet')
    .description(
      'Close an upload URL that was not used yet. The URL then answers 412. An expired URL can be closed too: a PUT ' +
        'that began in time may still be under way, and then gets 412 at its end. The command fails and changes ' +
        'nothing if the upload is already completed or cancelled.',
    )
    .argument('<upload-id>')
    .action(
      act(context, async ({ open, output }, uploadId: string) => {
        showOne(output, await cancelUpload(await open(), uploadId), details);
      }),
    );
}

function replayCommand(context: AdminContext): Command {
  return new Command('replay')
    .summary('replay the events in the dead-letter queue')
    .description(
      'Send every event in the dead-letter queue to the record-upload function again. Recorded events leave the ' +
        'queue. If an event fails, it stays in the queue and the command fails. Run the command after the cause is ' +
        'fixed. You can repeat it safely.',
    )
    .action(
      act(context, async ({ open, output }) => {
        const { replayed, failed } = await replayUploads(await open(), ({ message_id, reason }) =>
          note(output, `${printable(message_id)} failed: ${printable(reason)}`),
        );
        const summary = `${counted(replayed, 'event')} replayed, ${failed} failed.\n`;
        output.stdout.write(output.json ? `${jsonText({ replayed, failed })}\n` : summary);
        if (failed > 0) {
          throw new OperationError(
            'failed',
            `${counted(failed, 'event')} could not be recorded and stayed in the queue. ` +
              'Read the log of the record-upload function, fix the cause and replay again.',
            { do: 'replay uploads' },
          );
        }
      }),
    );
}

function reconcileCommand(context: AdminContext): Command {
  return new Command('reconcile')
    .summary('record uploads whose events were lost')
    .description(
      'Look at every upload that is due. What arrived in the bucket without an event is recorded, what nobody used is ' +
        'marked, and replaced content is deleted. The service does so by itself every five minutes: this command runs ' +
        'it now, and prints what it found. You can repeat it safely.',
    )
    .action(
      act(context, async ({ open, output }) => {
        const report = await reconcileUploads(await open());
        const { recorded, expired, failed, unfinished } = report;
        const rest = unfinished ? ' Not all that is due was looked at: the next run goes on.' : '';
        const summary = `${counted(recorded, 'upload')} recorded, ${expired} found unused.${rest}\n`;
        output.stdout.write(output.json ? `${jsonText(report)}\n` : summary);
        if (failed > 0) {
          throw new OperationError(
            'failed',
            `${counted(failed, 'upload')} could not be looked at, and will be looked at again in an hour. ` +
              'Read the log of the reconcile-uploads function, and fix the cause.',
          );
        }
      }),
    );
}
