import { Command } from 'commander';
import { explainAwsError } from '../../operator/deployment/aws-errors.ts';
import type { Deployment } from '../../operator/deployment/deployment.ts';
import {
  describeCancelAll,
  describeCancelReport,
  describeOutstanding,
  requireAllCancelled,
} from '../../operator/describe-outstanding.ts';
import { messageOf } from '../../operator/errors.ts';
import { getFile, setSyncEnabled } from '../../operator/files.ts';
import {
  countOutstanding,
  disableAndCancel,
  type NotCancelled,
  type Outstanding,
} from '../../operator/outstanding-uploads.ts';
import { counted, formatSeconds, printable, quoted } from '../../operator/text.ts';
import { confirm } from '../../terminal/confirm.ts';
import { createCountProgress } from '../../terminal/count-progress.ts';
import { addExamples } from '../../terminal/help.ts';
import { note, type Output, showOne } from '../../terminal/output.ts';
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
        ? runDisableAndCancel(deployment, session, fileId, flags)
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
  for (const sentence of describeOutstanding(uploads)) {
    note(output, sentence);
  }
  const open = uploads.outstanding + uploads.recently_expired;
  if (open > 0) {
    note(output, `To close ${open === 1 ? 'it' : 'all of them'}: ${cancelAll}`);
  }
}

async function runDisableAndCancel(
  deployment: Deployment,
  { context, output }: Session,
  fileId: string,
  flags: Flags,
): Promise<void> {
  await getFile(deployment, fileId);
  const uploads = await countOutstanding(deployment, fileId, Date.now());
  await confirm(describeCancelAll(fileId, uploads), flags.yes === true, context);
  const expected = uploads.outstanding + uploads.recently_expired;
  const report = await cancelWithProgress(deployment, { context, output }, fileId, expected);
  showReport(output, report);
}

type DisabledReport = Awaited<ReturnType<typeof disableAndCancel>>;

async function cancelWithProgress(
  deployment: Deployment,
  { context, output }: Pick<Session, 'context' | 'output'>,
  fileId: string,
  expected: number,
): Promise<DisabledReport> {
  const progress = createCountProgress(
    output.stderr,
    (done) => `Cancelling: ${done} of ${counted(Math.max(done, expected), 'upload URL')}`,
  );
  try {
    return await disableAndCancel(deployment, fileId, {
      disabled: () => note(output, `Syncing is disabled for ${quoted(fileId)}. Cancelling its upload URLs.`),
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
function showReport(output: Output, { file, ...report }: DisabledReport): void {
  const { cancelled, rest } = report;
  const finished = rest.filter(({ outcome }) => outcome === 'finished').length;
  const uploads = { cancelled, finished, failed: rest.length - finished };
  showOne(output, { ...file, uploads }, fileDetails);
  noteEach(output, rest);
  note(output, describeCancelReport(report));
  requireAllCancelled(file.file_id, report);
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
