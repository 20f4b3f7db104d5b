import { Command } from 'commander';
import { daysWithoutFile } from '../../operator/deployment/restore-place.ts';
import { compareTable, writeMissing } from '../../operator/deployment/restore-table.ts';
import { counted, printable, quoted } from '../../operator/text.ts';
import { addExamples } from '../../terminal/help.ts';
import { note, showJson } from '../../terminal/output.ts';
import { createProgress } from '../../terminal/progress.ts';
import { confirm } from '../../terminal/question.ts';
import { type AdminContext, act, type Session } from './session.ts';

interface Flags {
  readonly fromTable: string;
  readonly reinstate?: boolean;
  readonly yes?: boolean;
}

/** Creates the command `admin restore`. */
export function restoreCommand(context: AdminContext): Command {
  const command = new Command('restore')
    .summary('copy missing items of a restored table back into the service')
    .description(
      'Copy items of a table that was restored to a point in time back into the table of the service, if the service ' +
        'lacks them. All other items are kept. A file gets its newest content, not the content at the point in time. ' +
        'Replaced uploads return as superseded, and clients as revoked. ' +
        'The command lists the missing items, and asks for confirmation. Repeat the command if it fails or is stopped: that is safe.',
    )
    .requiredOption('--from-table <name>', 'read this table')
    .option('--reinstate', 'restore active clients as active: their listed secrets work again')
    .option('--yes', 'skip the confirmation');
  return addExamples(command, '--stack file-sync-prod restore --from-table files-restored').action(
    act(context, runRestore),
  );
}

async function runRestore(
  { context, open, output }: Session,
  { fromTable, reinstate = false, yes = false }: Flags,
): Promise<void> {
  const deployment = await open();
  const comparing = createProgress(output.stderr, (done) => `Compared: ${counted(done, 'item')} so far`);
  const comparison = await compareTable(deployment, fromTable, comparing.update).finally(comparing.finish);
  const { kind, missing, kept } = comparison;
  if (!output.json) {
    const lines = [...missing].map(
      ([id, access]) => `missing ${printable(id)}${access && `  ${printable(access)}`}\n`,
    );
    output.stdout.write(lines.join(''));
  }
  const risk = kind === 'client' && missing.size > 0 ? ` ${clientRisk(reinstate)}` : '';
  await confirm(
    `${counted(missing.size, 'item')} missing, ${kept} kept. This writes the missing items from ${quoted(fromTable)} to the service.${risk}`,
    yes,
    context,
  );
  const writing = createProgress(
    output.stderr,
    (done) => `Written: ${done} of ${counted(missing.size, 'item')}`,
  );
  const written = await writeMissing(deployment, comparison, reinstate, writing.update).finally(
    writing.finish,
  );
  const places: Record<string, number> = {};
  for (const place of written.values()) {
    places[place] = (places[place] ?? 0) + 1;
  }
  if (output.json) {
    showJson(output, { from_table: fromTable, kept, written: [...written.keys()], places });
  }
  const counts = Object.entries(places).map(([place, count]) => `${count} ${place}`);
  note(
    output,
    `${counted(written.size, 'item')} written${counts.length > 0 ? `: ${counts.join(', ')}` : ''}.`,
  );
  if (places['without file']) {
    note(
      output,
      `Restore the files within ${daysWithoutFile} days. Then the service deletes the content of uploads without file.`,
    );
  }
  if (places.revoked) {
    note(output, 'Check each client, and reinstate it: client reinstate ID');
  }
}

/** Describes the access that restored clients get. */
function clientRisk(reinstates: boolean): string {
  return reinstates
    ? 'Active clients get tokens again with the listed secrets, even if they were revoked, suspended or deleted after the copy, or if a secret leaked and was removed.'
    : 'The clients are revoked, because they may have been revoked or deleted after the copy. Once you reinstate a client, its listed secrets work again: remove secrets that leaked.';
}
