import { Command } from 'commander';
import { getFile, setSyncEnabled } from '../../operator/files/file.ts';
import { counted, quoted } from '../../operator/text.ts';
import {
  countOutstanding,
  describeCancelAll,
  describeOutstanding,
  disableAndCancel,
} from '../../operator/uploads/outstanding.ts';
import { addExamples } from '../../terminal/help.ts';
import { note, showOne } from '../../terminal/output.ts';
import { confirm } from '../../terminal/question.ts';
import { type AdminContext, act, type Session } from './session.ts';
import { workOn } from './upload-work.ts';
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
    act(context, (session, fileId: string, { cancelUploads, yes }: Flags) =>
      cancelUploads ? closeAll(session, fileId, yes === true) : disable(session, fileId),
    ),
  );
}

async function disable({ open, output, typed }: Session, fileId: string): Promise<void> {
  const deployment = await open();
  const { file, changed } = await setSyncEnabled(deployment, fileId, false);
  const uploads = await countOutstanding(deployment, fileId, Date.now());
  showOne(output, { ...file, uploads }, details);
  if (!changed) {
    note(output, `Syncing was not enabled for ${quoted(fileId)}. Nothing was changed.`);
  }
  note(output, describeOutstanding(uploads));
  if (uploads.outstanding > 0) {
    note(output, `To close them: ${typed('file', 'disable-sync', fileId, '--cancel-uploads')}`);
  }
}

async function closeAll(session: Session, fileId: string, yes: boolean): Promise<void> {
  const { context, open, output } = session;
  const deployment = await open();
  await getFile(deployment, fileId);
  const before = await countOutstanding(deployment, fileId, Date.now());
  await confirm(describeCancelAll(fileId, before), yes, context);
  const text = (done: number) =>
    `Cancelling: ${done} of ${counted(Math.max(done, before.outstanding), 'upload URL')}`;
  const work = workOn(session, text);
  const { file, cancelled } = await disableAndCancel(deployment, fileId, work).finally(work.finish);
  showOne(output, { ...file, uploads: { cancelled } }, details);
  note(output, `${counted(cancelled, 'upload URL')} cancelled.`);
}
