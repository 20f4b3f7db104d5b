import { Command } from 'commander';
import { note, showOne } from '../../output.ts';
import { quoted } from '../../text.ts';
import { setSyncEnabled } from '../files.ts';
import { type AdminContext, act } from '../session.ts';
import { fileDetails } from '../views.ts';

export function fileDisableSyncCommand(context: AdminContext): Command {
  return new Command('disable-sync')
    .summary('stop issuing upload URLs for a file')
    .description(
      'Stop the sync endpoint from issuing upload URLs for a file. Those already issued still work (upload cancel).',
    )
    .argument('<file-id>')
    .action(
      act(context, async ({ open, output }, fileId: string) => {
        const { file, changed } = await setSyncEnabled(await open(), fileId, false);
        showOne(output, file, fileDetails);
        if (!changed) note(output, `Syncing of ${quoted(fileId)} was not enabled. Nothing was changed.`);
      }),
    );
}
