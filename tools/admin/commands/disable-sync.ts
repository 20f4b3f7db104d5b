import { Command } from 'commander';
import {
  countOutstanding,
  describeCancelAll,
  describeCancelReport,
  describeOutstanding,
  disableAndCancel,
  type Outstanding,
  requireAllCancelled,
} from '../../operator/close-uploads.ts';
import { explainAwsError } from '../../operator/deployment/aws-errors.ts';
import type { Deployment } from '../../operator/deployment/deployment.ts';
import { messageOf } from '../../operator/errors.ts';
import { getFile, setSyncEnabled } from '../../operator/files.ts';
import { counted, quoted } from '../../operator/text.ts';
import { addExamples } from '../../terminal/help.ts';
import { note, showOne } from '../../terminal/output.ts';
import { confirm } from '../../terminal/question.ts';
import { type AdminContext, act, type Session } from './session.ts';
import { noteFailed, workOn } from './upload-work.ts';
import { details } from './views.ts';

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
        ? closeAll(deployment, session, fileId, flags.yes === true)
        : disable(deployment, session, fileId));
    }),
  );
}

async function disable(deployment: Deployment, { output, typed }: Session, fileId: string): Promise<void> {
  const { file, changed } = await setSyncEnabled(deployment, fileId, false);
  const uploads = await countOrReason(deployment, fileId);
  showOne(output, typeof uploads === 'string' ? file : { ...file, uploads }, details);
  if (!changed) {
    note(output, `Syncing was not enabled for ${quoted(fileId)}. Nothing was changed.`);
  }
  if (typeof uploads === 'string') {
    note(output, `Its outstanding upload URLs still work. They could not be counted: ${uploads}`);
    return;
  }
  for (const sentence of describeOutstanding(uploads)) {
    note(output, sentence);
  }
  const open = uploads.outstanding + uploads.recently_expired;
  if (open > 0) {
    const command = typed('file', 'disable-sync', fileId, '--cancel-uploads');
    note(output, `To close ${open === 1 ? 'it' : 'all of them'}: ${command}`);
  }
}

/** Syncing is already disabled, so a count that fails must not look as if nothing had been done. */
async function countOrReason(deployment: Deployment, fileId: string): Promise<Outstanding | string> {
  try {
    return await countOutstanding(deployment, fileId, Date.now());
  } catch (error) {
    return messageOf(explainAwsError(error));
  }
}

async function closeAll(
  deployment: Deployment,
  session: Session,
  fileId: string,
  yes: boolean,
): Promise<void> {
  const { context, output } = session;
  await getFile(deployment, fileId);
  const before = await countOutstanding(deployment, fileId, Date.now());
  await confirm(describeCancelAll(fileId, before), yes, context);
  const expected = before.outstanding + before.recently_expired;
  const text = (done: number) => `Cancelling: ${done} of ${counted(Math.max(done, expected), 'upload URL')}`;
  const work = workOn(session, text);
  const disabled = () =>
    note(output, `Syncing is disabled for ${quoted(fileId)}. Cancelling its upload URLs.`);
  const report = await disableAndCancel(deployment, fileId, { ...work, disabled }).finally(work.finish);
  const { file, cancelled, finished, failed } = report;
  const uploads = { cancelled, finished, failed: failed.length };
  showOne(output, { ...file, uploads }, details);
  noteFailed(output, failed);
  note(output, describeCancelReport(report));
  requireAllCancelled(fileId, report);
}
