import { Command } from 'commander';
import { explainAwsError } from '../../deployment/aws-errors.ts';
import type { Deployment } from '../../deployment/deployment.ts';
import { CommandError, exitCodes, messageOf } from '../../errors.ts';
import { type File, getFile, setSyncEnabled } from '../../operations/files.ts';
import {
  type CancelReport,
  cancelOutstanding,
  countOutstanding,
  type NotCancelled,
  type Outstanding,
} from '../../operations/outstanding-uploads.ts';
import { confirm } from '../../terminal/confirm.ts';
import { createCountProgress } from '../../terminal/count-progress.ts';
import { addExamples } from '../../terminal/help.ts';
import { note, type Output, showOne } from '../../terminal/output.ts';
import { counted, formatSeconds, printable, quoted } from '../../text.ts';
import { type AdminContext, act, type Session } from './session.ts';
import { fileDetails } from './views.ts';

interface Flags {
  readonly cancelUploads?: true;
  readonly yes?: true;
}

/** `file disable-sync` */
export function disableSyncCommand(context: AdminContext): Command {
  const command = new Command('disable-sync')
    .summary('stop issuing upload URLs for a file')
    .description(
      'Stop issuing upload URLs for a file. URLs already issued still work until they expire: the command says how ' +
        'many there are. With --cancel-uploads it closes them too: they then answer 412. Repeat the command if it ' +
        'fails or is stopped: that is safe.',
    )
    .argument('<file-id>')
    .option('--cancel-uploads', 'cancel every outstanding upload URL of the file as well')
    .option('--yes', 'skip the confirmation of --cancel-uploads');
  addExamples(command, '--local file disable-sync orders --cancel-uploads');
  return command.action(
    act(context, async (session, fileId: string, flags: Flags) => {
      const deployment = await session.open();
      await (flags.cancelUploads
        ? disableAndCancel(deployment, session, fileId, flags)
        : disable(deployment, session, fileId));
    }),
  );
}

async function disable(deployment: Deployment, { output, typed }: Session, fileId: string): Promise<void> {
  const { file, changed } = await setSyncEnabled(deployment, fileId, false);
  const uploads = await countOrReason(deployment, fileId);
  showOne(output, typeof uploads === 'string' ? file : { ...file, uploads }, fileDetails);
  noteUnchanged(output, fileId, changed);
  if (typeof uploads === 'string') {
    note(output, `Its outstanding upload URLs still work. They could not be counted: ${uploads}`);
    return;
  }
  noteOutstanding(output, uploads, typed('file', 'disable-sync', fileId, '--cancel-uploads'));
}

/** Syncing is already disabled, so a count that fails must not look as if nothing had been done. */
async function countOrReason(deployment: Deployment, fileId: string): Promise<Outstanding | string> {
  try {
    return await countOutstanding(deployment, fileId, Date.now());
  } catch (error) {
    return messageOf(explainAwsError(error));
  }
}

function noteUnchanged(output: Output, fileId: string, changed: boolean): void {
  if (!changed) {
    note(output, `Syncing was not enabled for ${quoted(fileId)}. Nothing was changed.`);
  }
}

/** @param cancelAll the command that cancels all of them */
function noteOutstanding(output: Output, uploads: Outstanding, cancelAll: string): void {
  const { outstanding, until, recently_expired: expired } = uploads;
  if (outstanding > 0) {
    const stillWork = outstanding === 1 ? 'is outstanding and still works' : 'are outstanding and still work';
    note(output, `${counted(outstanding, 'upload URL')} ${stillWork} until ${until} at the latest.`);
  } else {
    note(output, 'No upload URL of this file is outstanding.');
  }
  if (expired > 0) {
    note(
      output,
      `${counted(expired, 'upload URL')} expired unused in the last 24 hours. ` +
        'A PUT that began in time may still be under way, and its content would be taken.',
    );
  }
  if (outstanding + expired > 0) {
    note(output, `To close ${outstanding + expired === 1 ? 'it' : 'all of them'}: ${cancelAll}`);
  }
}

async function disableAndCancel(
  deployment: Deployment,
  { context, output }: Session,
  fileId: string,
  flags: Flags,
): Promise<void> {
  await getFile(deployment, fileId);
  const { outstanding, recently_expired } = await countOutstanding(deployment, fileId, Date.now());
  const expired =
    recently_expired > 0 ? ` and ${recently_expired} that expired unused in the last 24 hours` : '';
  await confirm(
    `This disables syncing for ${quoted(fileId)} and cancels ${counted(outstanding, 'outstanding upload URL')}${expired}.`,
    flags.yes === true,
    context,
  );
  const { file } = await setSyncEnabled(deployment, fileId, false);
  note(output, `Syncing is disabled for ${quoted(fileId)}. Cancelling its upload URLs.`);
  const report = await cancelWithProgress(
    deployment,
    { context, output },
    file,
    outstanding + recently_expired,
  );
  showReport(output, file, report);
}

async function cancelWithProgress(
  deployment: Deployment,
  { context, output }: Pick<Session, 'context' | 'output'>,
  file: File,
  expected: number,
): Promise<CancelReport> {
  const progress = createCountProgress(
    output.stderr,
    (done) => `Cancelling: ${done} of ${counted(Math.max(done, expected), 'upload URL')}`,
  );
  try {
    return await cancelOutstanding(deployment, file.file_id, {
      // Nothing else but a change of the name moves this time, and that only makes the command wait.
      disabledAt: Date.parse(file.updated_at),
      progress: progress.update,
      waiting: (milliseconds) => {
        progress.finish();
        note(
          output,
          `Waiting ${formatSeconds(milliseconds / 1000)} for sync requests that began before. Ctrl-C stops this.`,
        );
      },
      sleep: context.sleep,
      now: Date.now,
    });
  } finally {
    progress.finish();
  }
}

/** @throws {CommandError} when URLs may still work */
function showReport(output: Output, file: File, { cancelled, rest, stopped }: CancelReport): void {
  const finished = rest.filter(({ outcome }) => outcome === 'finished');
  const failed = rest.filter(({ outcome }) => outcome === 'failed');
  const uploads = { cancelled, finished: finished.length, failed: failed.length };
  showOne(output, { ...file, uploads }, fileDetails);
  noteEach(output, rest);
  note(
    output,
    `${counted(cancelled, 'upload URL')} cancelled, ${finished.length} finished before, ${failed.length} failed.`,
  );
  if (failed.length > 0) {
    throw new CommandError(
      `${counted(failed.length, 'upload URL')} could not be cancelled and may still work. ` +
        `${stopped ? 'The others were not tried. ' : ''}Fix the cause and run the command again:`,
      exitCodes.failed,
      [['file', 'disable-sync', file.file_id, '--cancel-uploads']],
    );
  }
}

const maximumNoted = 20;

function noteEach(output: Output, rest: readonly NotCancelled[]): void {
  for (const { upload_id, outcome, reason } of rest.slice(0, maximumNoted)) {
    note(output, `${upload_id} ${outcome}: ${printable(reason)}`);
  }
  if (rest.length > maximumNoted) {
    note(output, `${rest.length - maximumNoted} more are not listed.`);
  }
}
