import type { Command } from 'commander';
import { compareTable, writeMissing } from '../../operator/deployment/restore-table.ts';
import { compareContent } from '../../operator/files/compare-content.ts';
import { counted, printable, quoted } from '../../operator/text.ts';
import { UsageError } from '../../terminal/errors.ts';
import { createCommand } from '../../terminal/help.ts';
import { showJson } from '../../terminal/output.ts';
import { confirm } from '../../terminal/question.ts';
import { type AdminContext, act, type Session } from './session.ts';

interface Flags {
  readonly fromTable?: string;
  readonly fromBucket?: boolean;
  readonly keepAccess?: boolean;
  readonly yes?: boolean;
}

const clientNote =
  ' Active clients become revoked, because they may have been revoked or deleted since. Once you run "client reinstate ID", the listed secrets work again, even those that were removed since.';

const accessNote = ' Active clients stay active, even those that were revoked or deleted since.';

/** Creates the command `admin restore`. */
export function restoreCommand(context: AdminContext): Command {
  return createCommand(
    'restore',
    'copy missing items of a restored table back into the service',
    'Copy items of a table that was restored to a point in time back into the table of the service, if the service ' +
      'lacks them. All other items are kept. A file gets its newest content, a replaced upload becomes superseded, and an active client becomes revoked. ' +
      'The command lists the missing items, and asks for confirmation. For a stack that replaces a lost one, ' +
      '--keep-access keeps clients active, and --from-bucket replaces the version ids of the lost bucket, after all bytes were copied. Repeat the command if it fails or is stopped: that is safe.',
    '--stack file-sync-prod restore --from-table files-restored',
  )
    .option('--from-table <name>', 'read this table')
    .option('--keep-access', 'keep active clients active')
    .option('--from-bucket', 'set the version ids of content to those of identical objects in the bucket')
    .option('--yes', 'skip the confirmation')
    .action(act(context, runRestore));
}

async function runRestore(session: Session, { fromTable, fromBucket, ...flags }: Flags): Promise<void> {
  if ((fromTable === undefined) !== (fromBucket === true)) {
    throw new UsageError('Choose one source: --from-table NAME or --from-bucket.');
  }
  return fromTable === undefined ? restoreVersions(session) : restoreItems(session, fromTable, flags);
}

async function restoreVersions({ open, output, progress, note }: Session): Promise<void> {
  const report = (done: number) => progress.update(`Compared: ${counted(done, 'file')} so far`);
  const { copied } = await compareContent(await open(), true, report);
  progress.finish();
  if (output.json) {
    showJson(output, { changed: copied });
  }
  note(`${counted(copied.length, 'file')} changed.`);
}

async function restoreItems(
  { context, open, output, progress, note }: Session,
  fromTable: string,
  { keepAccess = false, yes = false }: Flags,
): Promise<void> {
  const deployment = await open();
  const report = (done: number) => progress.update(`Done: ${counted(done, 'item')} so far`);
  const found = await compareTable(deployment, fromTable, report);
  progress.finish();
  const { kind, missing, kept } = found;
  if (!output.json) {
    const lines = [...missing].map(([id, access]) => `missing ${printable(id + access)}\n`);
    output.stdout.write(lines.join(''));
  }
  const clients = keepAccess ? accessNote : clientNote;
  await confirm(
    `${counted(missing.size, 'item')} missing, ${kept} kept. This writes the missing items from ${quoted(fromTable)} to the service.${kind === 'client' ? clients : ''}`,
    yes,
    context,
  );
  const written = await writeMissing(deployment, fromTable, found, keepAccess, report);
  progress.finish();
  if (output.json) {
    showJson(output, { from_table: fromTable, kept, written });
  }
  note(`${counted(written.length, 'item')} written.`);
}
