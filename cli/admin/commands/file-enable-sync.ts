import { Command } from 'commander';
import { note, showOne } from '../../output.ts';
import { quoted } from '../../text.ts';
import { setSyncEnabled } from '../files.ts';
import { type AdminContext, act } from '../session.ts';
import { fileDetails } from '../views.ts';

export function fileEnableSyncCommand(context: AdminContext): Command {
  return new Command('enable-sync')
    .summary('let clients ask for upload URLs')
    .description('Let the sync endpoint issue upload URLs for a file.')
    .argument('<file-id>')
    .action(
      act(context, async ({ open, output }, fileId: string) => {
        const { file, changed } = await setSyncEnabled(await open(), fileId, true);
        showOne(output, file, fileDetails);
        if (!changed) note(output, `Syncing of ${quoted(fileId)} was enabled already. Nothing was changed.`);
      }),
    );
}
