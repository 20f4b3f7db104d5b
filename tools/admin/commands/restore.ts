import { Command } from 'commander';
import { restoreTable } from '../../operator/deployment/restore-table.ts';
import { counted, printable, quoted } from '../../operator/text.ts';
import { addExamples } from '../../terminal/help.ts';
import { note, showJson } from '../../terminal/output.ts';
import { createProgress } from '../../terminal/progress.ts';
import { confirm } from '../../terminal/question.ts';
import { type AdminContext, act, type Session } from './session.ts';

interface Flags {
  readonly fromTable: string;
  readonly yes?: boolean;
}

/** Creates the command `admin restore`. */
export function restoreCommand(context: AdminContext): Command {
  const command = new Command('restore')
    .summary('copy missing items of a restored table back into the service')
    .description(
      'Copy items of a table that was restored to a point in time back into the table of the service, if the service ' +
        'lacks them. All other items are kept. A file gets its newest content, not the content at the point in time. ' +
        'The command lists the missing items, and asks for confirmation. Repeat the command if it fails or is stopped: that is safe.',
    )
    .requiredOption('--from-table <name>', 'read this table')
    .option('--yes', 'skip the confirmation');
  return addExamples(command, '--stack file-sync-prod restore --from-table files-restored').action(
    act(context, runRestore),
  );
}

async function runRestore(
  { context, open, output }: Session,
  { fromTable, yes = false }: Flags,
): Promise<void> {
  const deployment = await open();
  const progress = createProgress(output.stderr, (done) => `Compared: ${counted(done, 'item')} so far`);
  const restore = (writes: boolean) =>
    restoreTable(deployment, fromTable, writes, progress.update).finally(progress.finish);
  const { missing, kept } = await restore(false);
  if (!output.json) {
    output.stdout.write(missing.map((id) => `missing ${printable(id)}\n`).join(''));
  }
  await confirm(
    `${counted(missing.length, 'item')} missing, ${kept} kept. This writes the missing items from ${quoted(fromTable)} to the service.`,
    yes,
    context,
  );
  const { missing: written } = await restore(true);
  if (output.json) {
    showJson(output, { from_table: fromTable, kept, written });
  }
  note(output, `${counted(written.length, 'item')} written.`);
}
