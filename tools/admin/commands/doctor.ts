import type { Command } from 'commander';
import { diagnose } from '../../operator/doctor/diagnose.ts';
import type { Finding } from '../../operator/doctor/finding.ts';
import { counted, printable } from '../../operator/text.ts';
import { CommandError } from '../../terminal/errors.ts';
import { createCommand } from '../../terminal/help.ts';
import { nextLines, type TypedCommand } from '../../terminal/next-steps.ts';
import { showJson } from '../../terminal/output.ts';
import { type AdminContext, act } from './session.ts';

interface Flags {
  readonly content?: boolean;
}

/** Creates the command `admin doctor`. */
export function doctorCommand(context: AdminContext): Command {
  return createCommand(
    'doctor',
    'check a deployment and suggest next steps',
    'Check a deployment, and suggest a next step for each finding: account, clock of this machine, stack, version, signing keys, key rotation, ' +
      'alarms now and in the last week, failed runs, rejected requests, content readers, trails of reads, dead letters, due uploads, damaged items and the API. All checks run, even if one fails. A warning can wait, and does not change ' +
      'the exit code. The checks change nothing. With --content, the command also compares every file with the bucket, and every object with the files, which the console does not: ' +
      'for a million of both, this takes less than an hour, and costs $0.40 for HEAD calls, $0.05 for LIST calls, and $0.30 for reads of DynamoDB.',
    '--local doctor',
    '--stack file-sync-prod doctor --json',
  )
    .option('--content', 'also find missing bytes, and bytes without a record')
    .action(
      act(context, async ({ output, open, note, progress, typed }, { content = false }: Flags) => {
        const report = (done: number) => progress.update(`Compared: ${done} so far`);
        const findings = await diagnose(await open(), content ? report : undefined);
        progress.finish();
        if (output.json) {
          showJson(output, { data: findings });
        } else {
          output.stdout.write(findings.map((finding) => lineOf(finding, typed)).join(''));
        }
        const failures = findings.filter(({ state }) => state === 'failed').length;
        if (failures > 0) {
          throw new CommandError(`${counted(failures, 'check')} of ${findings.length} failed.`);
        }
        note('No check failed.');
      }),
    );
}

const words = { ok: 'ok', news: 'news', warning: 'warn', failed: 'FAIL' } as const;

const checkWidth = 'key rotation'.length;

/**
 * The finding in one line, even for an AWS message of several lines. The next line contains the suggested
 * command.
 */
function lineOf({ state, check, message, advice, next }: Finding, typed: TypedCommand): string {
  const text = advice === undefined ? message : `${message} ${advice}`;
  const commands = nextLines(next === undefined ? [] : [next], typed);
  const line = `${words[state].padEnd(4)}  ${check.padEnd(checkWidth)}  ${printable(text.replaceAll(/\s+/g, ' '))}`;
  return `${line}${commands}\n`;
}
