import { Command } from 'commander';
import { CommandError } from '../../errors.ts';
import { note, showJson } from '../../output.ts';
import { counted, printable } from '../../text.ts';
import { replayUploads } from '../replay-uploads.ts';
import { type AdminContext, act } from '../session.ts';

export function uploadReplayCommand(context: AdminContext): Command {
  return new Command('replay')
    .summary('record what is in the dead-letter queue')
    .description(
      'Give every event in the dead-letter queue to record-upload once more. Those that it takes leave the\n' +
        'queue; the others stay, and the command fails. Run it when the cause is mended. Safe to repeat.',
    )
    .action(
      act(context, async ({ open, output }) => {
        const report = await replayUploads(await open(), ({ message_id, reason }) =>
          note(output, `${printable(message_id)} failed: ${printable(reason)}`),
        );
        if (output.json) showJson(output, report);
        else output.stdout.write(`${counted(report.replayed, 'event')} replayed, ${report.failed} failed.\n`);
        if (report.failed > 0) {
          throw new CommandError(
            `${counted(report.failed, 'event')} could not be recorded and stayed in the queue. The log of record-upload says why.`,
          );
        }
      }),
    );
}
