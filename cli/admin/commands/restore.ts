import { Command, Option } from 'commander';
import type { Deployment } from '../../deployment/deployment.ts';
import { CommandError, exitCodes } from '../../errors.ts';
import { type Difference, type RestoreCounts, restoreTable } from '../../operations/restore/restore-table.ts';
import { type Restorable, recogniseTable, restorableNames } from '../../operations/restore/restored-table.ts';
import { confirm } from '../../terminal/confirm.ts';
import { createCountProgress } from '../../terminal/count-progress.ts';
import { addExamples } from '../../terminal/help.ts';
import { jsonText, note, type Output } from '../../terminal/output.ts';
import { counted, printable, quoted } from '../../text.ts';
import { type AdminContext, act, type Session } from './session.ts';

interface Flags {
  readonly fromTable: string;
  readonly into?: Restorable;
  readonly overwrite?: true;
  readonly dryRun?: true;
  readonly yes?: true;
}

/** `restore` */
export function restoreCommand(context: AdminContext): Command {
  const command = new Command('restore')
    .summary('copy items of a restored table back into the service')
    .description(
      'Copy the items of a table that was restored to a point in time back into the table of the service. Items that ' +
        'are missing are written, and items that the service cannot read are replaced. Other items that differ are ' +
        'kept, unless --overwrite is given. Items that only the service has are always kept. A file gets its newest ' +
        'content, not that of the point in time. Repeat the command if it fails or is stopped: that is safe.',
    )
    .requiredOption('--from-table <name>', 'read this table')
    .addOption(
      new Option('--into <table>', 'what it holds (default: recognised by its key)').choices(restorableNames),
    )
    .option('--overwrite', 'replace items that differ as well: changes since the point in time are lost')
    .option('--dry-run', 'show what would change, and change nothing')
    .option('--yes', 'skip the confirmation');
  addExamples(command, '--stack file-sync-prod restore --from-table files-restored --dry-run');
  return command.action(act(context, runRestore));
}

async function runRestore(session: Session, flags: Flags): Promise<void> {
  const { context, output } = session;
  const deployment = await session.open();
  const into = await recogniseTable(deployment, flags.fromTable, flags.into);
  if (!flags.dryRun && !flags.yes) {
    const plan = await run(deployment, session, flags, { into, dryRun: true, shown: false });
    await confirm(
      `This writes ${counted(plan.written, 'item')} to the table of ${into}: ${describe(plan)}.`,
      false,
      context,
    );
  }
  const dryRun = flags.dryRun === true;
  const list = startList(output);
  const counts = await run(deployment, session, flags, { into, dryRun, shown: true }, list.add);
  list.end({ from_table: flags.fromTable, into, dry_run: dryRun, ...counts });
  note(output, `${describe(counts)}. ${dryRun ? 'Nothing was changed.' : `${counts.written} written.`}`);
  noteKept(output, flags, counts);
  requireSettled(counts, flags);
}

interface Pass {
  readonly into: Restorable;
  readonly dryRun: boolean;
  readonly shown: boolean;
}

async function run(
  deployment: Deployment,
  { output }: Session,
  flags: Flags,
  { into, dryRun, shown }: Pass,
  found: (difference: Difference) => void = () => undefined,
): Promise<RestoreCounts> {
  const verb = shown && !dryRun ? 'Restoring' : 'Comparing';
  const progress = createCountProgress(output.stderr, (done) => `${verb}: ${counted(done, 'item')} so far`);
  try {
    return await restoreTable(deployment, {
      fromTable: flags.fromTable,
      into,
      dryRun,
      overwrite: flags.overwrite === true,
      found,
      progress: progress.update,
    });
  } finally {
    progress.finish();
  }
}

/** Writes each difference as it is found: one line for people, one element of `data` in JSON. */
function startList({ json, stdout }: Output) {
  let elements = 0;
  return {
    add: (difference: Difference) => {
      const { id, kind, attributes, written } = difference;
      if (json) {
        stdout.write(`${elements === 0 ? '{"data":[' : ','}${jsonText(difference)}`);
      } else {
        const action = written ? 'write' : 'keep';
        stdout.write(`${action} ${kind} ${printable(id)}: ${attributes.map(printable).join(', ')}\n`);
      }
      elements += 1;
    },
    end: (summary: object) => {
      if (json) {
        stdout.write(`${elements === 0 ? '{"data":[' : ''}],${jsonText(summary).slice(1)}\n`);
      }
    },
  };
}

function describe(counts: RestoreCounts): string {
  const { damaged, changed, newer, changed_meanwhile, unreadable, same, only_in_service } = counts;
  const parts = [`${counts.new} new`, `${damaged} damaged`, `${changed} changed`, `${same} same`];
  return [
    ...parts,
    ...(newer > 0 ? [`${newer} newer`] : []),
    ...(changed_meanwhile > 0 ? [`${changed_meanwhile} changed meanwhile`] : []),
    ...(unreadable > 0 ? [`${unreadable} unreadable`] : []),
    `${only_in_service} only in the service`,
  ].join(', ');
}

function noteKept(output: Output, { overwrite }: Flags, { changed }: RestoreCounts): void {
  if (changed > 0 && !overwrite) {
    note(
      output,
      `${counted(changed, 'changed item')} kept. With --overwrite, the command replaces ${changed === 1 ? 'it' : 'them'}.`,
    );
  }
}

/** @throws {CommandError} when items were not restored that should have been */
function requireSettled({ changed_meanwhile, unreadable }: RestoreCounts, { fromTable }: Flags): void {
  if (changed_meanwhile > 0) {
    throw new CommandError(
      `${counted(changed_meanwhile, 'item')} changed while the command ran, and ${changed_meanwhile === 1 ? 'is' : 'are'} kept. Compare again:`,
      exitCodes.failed,
      [['restore', '--from-table', fromTable, '--dry-run']],
    );
  }
  if (unreadable > 0) {
    throw new CommandError(
      `The service cannot read ${counted(unreadable, 'item')} of ${quoted(fromTable)}, so the command left ` +
        `${unreadable === 1 ? 'it' : 'them'} out. Make another copy, of an earlier time, and restore from that.`,
    );
  }
}
