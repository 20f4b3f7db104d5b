import { Command } from 'commander';
import { parseNewIdentifier } from '../../identifiers.ts';
import { showList } from '../../output.ts';
import { listFiles } from '../files.ts';
import { type AdminContext, act } from '../session.ts';
import { fileColumns } from '../views.ts';

export function fileListCommand(context: AdminContext): Command {
  return new Command('list')
    .description('List the files of an organisation.')
    .requiredOption('--organisation <id>', 'whose files')
    .action(
      act(context, async ({ open, output }, options: { organisation: string }) => {
        const organisationId = parseNewIdentifier(options.organisation, 'organisation');
        showList(output, await listFiles(await open(), organisationId), fileColumns, 'file');
      }),
    );
}
