import { setTimeout as sleep } from 'node:timers/promises';
import { Command, Option } from 'commander';
import { CommandError, exitCodes, UsageError } from '../../errors.ts';
import { cancelUpload } from '../../operations/cancel-upload.ts';
import { getFile } from '../../operations/files.ts';
import { parseNewIdentifier } from '../../operations/parse-input.ts';
import { replayUploads } from '../../operations/replay-uploads.ts';
import {
  getUpload,
  listUploads,
  type UploadSelection,
  type UploadState,
  uploadStates,
} from '../../operations/uploads.ts';
import { type WatchOptions, watchUpload } from '../../operations/watch-upload.ts';
import { addExamples } from '../../terminal/help.ts';
import { note, type Output, showJson, showList, showOne } from '../../terminal/output.ts';
import { counted, printable } from '../../text.ts';
import { type AdminContext, act, type MakeCommand } from './session.ts';
import { uploadColumns, uploadDetails } from './views.ts';

/** The commands of `admin upload`. */
export const uploadCommands: readonly MakeCommand[] = [
  listCommand,
  showCommand,
  cancelCommand,
  replayCommand,
];

interface ListOptions {
  readonly file?: string;
  readonly organisation?: string;
  readonly state?: UploadState;
}

function listCommand(context: AdminContext): Command {
  const command = new Command('list')
    .summary('list the uploads of a file or an organisation')
    .description('List the uploads of a file or an organisation, newest first.')
    .option('--file <file-id>', 'list the uploads of this file')
    .option('--organisation <id>', 'list the uploads of this organisation')
    .addOption(new Option('--state <state>', 'list only uploads in this state').choices(uploadStates))
    .action(
      act(context, async ({ open, output }, options: ListOptions) => {
        const selection = parseSelection(options);
        const deployment = await open();
        if ('fileId' in selection) {
          // Fails for an unknown file id: an empty list would look as if nothing had been uploaded.
          await getFile(deployment, selection.fileId);
        }
        const uploads = await listUploads(deployment, selection);
        const { state } = options;
        const shown = state === undefined ? uploads : uploads.filter((upload) => upload.state === state);
        showList(output, shown, uploadColumns, 'upload');
      }),
    );
  return addExamples(command, '--local upload list --file orders --state completed');
}

function parseSelection({ file, organisation }: ListOptions): UploadSelection {
  if (file !== undefined && organisation === undefined) {
    return { fileId: file };
  }
  if (organisation !== undefined && file === undefined) {
    return { organisationId: parseNewIdentifier(organisation, 'organisation') };
  }
  throw new UsageError('Choose the uploads to list: give either --file ID or --organisation ID.');
}

function showCommand(context: AdminContext): Command {
  return new Command('show')
    .summary('show one upload')
    .description('Show one upload: its client, its file, its times and its state.')
    .argument('<upload-id>')
    .option(
      '--watch',
      'wait until it is completed, cancelled or expired; fail if AWS is unreachable for 60 s',
    )
    .action(
      act(context, async ({ open, output }, uploadId: string, options: { watch?: boolean }) => {
        const deployment = await open();
        const upload = options.watch
          ? await watchUpload(deployment, uploadId, watchOptions(output))
          : await getUpload(deployment, uploadId);
        showOne(output, upload, uploadDetails);
      }),
    );
}

const watchPollMilliseconds = 1000;

/** Long enough for a restart of the local run, or a change of network. */
const maximumUnreachableMilliseconds = 60_000;

function watchOptions(output: Output): WatchOptions {
  const noteWithTime = (sentence: string) => note(output, `${new Date().toISOString()} ${sentence}`);
  return {
    changed: ({ state }) => noteWithTime(state),
    unreachable: (reason) =>
      noteWithTime(
        `AWS cannot be reached: ${reason}. Retrying for up to ${maximumUnreachableMilliseconds / 1000} s.`,
      ),
    pause: () => sleep(watchPollMilliseconds),
    maximumUnreachableMilliseconds,
    now: () => performance.now(),
  };
}

function cancelCommand(context: AdminContext): Command {
  return new Command('cancel')
    .summary('close an upload URL that was not used yet')
    .description(
      'Close an upload URL that was not used yet: it then answers 412. ' +
        'Fails, and changes nothing, when the upload is already completed, cancelled or expired.',
    )
    .argument('<upload-id>')
    .action(
      act(context, async ({ open, output }, uploadId: string) => {
        showOne(output, await cancelUpload(await open(), uploadId), uploadDetails);
      }),
    );
}

function replayCommand(context: AdminContext): Command {
  return new Command('replay')
    .summary('replay the events in the dead-letter queue')
    .description(
      'Send every event in the dead-letter queue to the record-upload function again. Recorded events leave the ' +
        'queue. If an event fails, it stays in the queue and the command fails. Run this after the cause is fixed. ' +
        'It is safe to repeat.',
    )
    .action(
      act(context, async ({ open, output }) => {
        const report = await replayUploads(await open(), ({ message_id, reason }) =>
          note(output, `${printable(message_id)} failed: ${printable(reason)}`),
        );
        if (output.json) {
          showJson(output, report);
        } else {
          output.stdout.write(`${counted(report.replayed, 'event')} replayed, ${report.failed} failed.\n`);
        }
        if (report.failed > 0) {
          throw new CommandError(
            `${counted(report.failed, 'event')} could not be recorded and stayed in the queue. ` +
              'Read the log of the record-upload function, fix the cause and replay again:',
            exitCodes.failed,
            [['upload', 'replay']],
          );
        }
      }),
    );
}
