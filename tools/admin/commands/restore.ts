import { Command } from 'commander';
import { restoreTable } from '../../operator/deployment/restore-table.ts';
import { counted, printable, quoted } from '../../operator/text.ts';
import { CommandError } from '../../terminal/errors.ts';
import { addExamples } from '../../terminal/help.ts';
import { note, showJson } from '../../terminal/output.ts';
import { createProgress } from '../../terminal/progress.ts';
import { confirm } from '../../terminal/question.ts';
import { type AdminContext, act, type Session } from './session.ts';

interface Flags {
  readonly fromTable: string;
  readonly dryRun?: boolean;
  readonly yes?: boolean;
}

/** `restore` */
export function restoreCommand(context: AdminContext): Command {
  const command = new Command('restore')
    .summary('copy items of a restored table back into the service')
    .description(
      'Copy items of a table that was restored to a point in time back into the table of the service: items that are ' +
        'missing, and items that the service cannot read. All other items are kept. A file gets its newest content, ' +
        'not the content at the point in time. Repeat the command if it fails or is stopped: that is safe.',
    )
    .requiredOption('--from-table <name>', 'read this table')
    .option('--dry-run', 'show what would be written, and change nothing')
    .option('--yes', 'skip the confirmation');
  addExamples(command, '--stack file-sync-prod restore --from-table files-restored --dry-run');
  return command.action(act(context, runRestore));
}

async function runRestore(
  { context, output, open }: Session,
  { fromTable, dryRun = false, yes = false }: Flags,
): Promise<void> {
  const deployment = await open();
  if (!dryRun) {
    const question = `This writes what is missing or damaged from ${quoted(fromTable)} to the service.`;
    await confirm(question, yes, context);
  }
  const progress = createProgress(output.stderr, (done) => `Compared: ${counted(done, 'item')} so far`);
  const written: { readonly id: string; readonly kind: string }[] = [];
  const counts = { missing: 0, damaged: 0, kept: 0, unreadable: 0 };
  let done = 0;
  try {
    for await (const { id, kind } of restoreTable(deployment, fromTable, dryRun)) {
      counts[kind] += 1;
      done += 1;
      progress.update(done);
      if (kind === 'missing' || kind === 'damaged') {
        written.push({ id, kind });
      }
    }
  } finally {
    progress.finish();
  }
  if (output.json) {
    showJson(output, { from_table: fromTable, dry_run: dryRun, ...counts, data: written });
  } else {
    output.stdout.write(written.map(({ id, kind }) => `${kind} ${printable(id)}\n`).join(''));
  }
  const { missing, damaged, kept, unreadable } = counts;
  note(
    output,
    `${missing} missing, ${damaged} damaged, ${kept} kept. ${dryRun ? 'Nothing was changed.' : ''}`.trim(),
  );
  if (unreadable > 0) {
    throw new CommandError(
      `The service cannot read ${counted(unreadable, 'item')} of ${quoted(fromTable)}. Restore from a copy of an earlier time.`,
    );
  }
}
