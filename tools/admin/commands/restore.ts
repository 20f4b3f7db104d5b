import type { Command } from 'commander';
import { compareTable, writeMissing } from '../../operator/deployment/restore-table.ts';
import { counted, printable, quoted } from '../../operator/text.ts';
import { createCommand } from '../../terminal/help.ts';
import { showJson } from '../../terminal/output.ts';
import { confirm } from '../../terminal/question.ts';
import { type AdminContext, act, type Session } from './session.ts';

interface Flags {
  readonly fromTable: string;
  readonly yes?: boolean;
}

const clientNote =
  ' Active clients become revoked, because they may have been revoked or deleted since. Once you run "client reinstate ID", the listed secrets work again, even those that were removed since.';

/** Creates the command `admin restore`. */
export function restoreCommand(context: AdminContext): Command {
  return createCommand(
    'restore',
    'copy missing items of a restored table back into the service',
    'Copy items of a table that was restored to a point in time back into the table of the service, if the service ' +
      'lacks them. All other items are kept. A file gets its newest content, a replaced upload becomes superseded, and an active client becomes revoked. ' +
      'The command lists the missing items, and asks for confirmation. Repeat the command if it fails or is stopped: that is safe.',
    '--stack file-sync-prod restore --from-table files-restored',
  )
    .requiredOption('--from-table <name>', 'read this table')
    .option('--yes', 'skip the confirmation')
    .action(act(context, runRestore));
}

async function runRestore(
  { context, open, output, progress, note }: Session,
  { fromTable, yes = false }: Flags,
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
  await confirm(
    `${counted(missing.size, 'item')} missing, ${kept} kept. This writes the missing items from ${quoted(fromTable)} to the service.${kind === 'client' ? clientNote : ''}`,
    yes,
    context,
  );
  const written = await writeMissing(deployment, fromTable, found, report);
  progress.finish();
  if (output.json) {
    showJson(output, { from_table: fromTable, kept, written });
  }
  note(`${counted(written.length, 'item')} written.`);
}
