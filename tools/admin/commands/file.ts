import { Command } from 'commander';
import { createFile, getFile, setSyncEnabled } from '../../operator/files/file.ts';
import { parseName, parseNewIdentifier } from '../../operator/parse-input.ts';
import { quoted } from '../../operator/text.ts';
import { addExamples } from '../../terminal/help.ts';
import { note, showOne } from '../../terminal/output.ts';
import { deleteFileCommand } from './delete.ts';
import { disableSyncCommand } from './disable-sync.ts';
import { downloadCommand } from './download.ts';
import { withContentType } from './form-warning.ts';
import { fileListCommand } from './list.ts';
import { renameFileCommand } from './rename.ts';
import { type AdminContext, act, type MakeCommand } from './session.ts';
import { details } from './views.ts';

/** The commands of `admin file`. */
export const fileCommands: readonly MakeCommand[] = [
  createCommand,
  fileListCommand,
  showCommand,
  renameFileCommand,
  enableSyncCommand,
  disableSyncCommand,
  downloadCommand,
  deleteFileCommand,
];

interface CreateOptions {
  readonly organisation: string;
  readonly name: string;
  readonly id?: string;
  readonly syncEnabled?: boolean;
}

function createCommand(context: AdminContext): Command {
  const command = new Command('create')
    .summary('create a file')
    .description('Create a file for an organisation.')
    .requiredOption('--organisation <id>', 'assign the file to this organisation (cannot be changed later)')
    .requiredOption('--name <name>', 'set the display name', parseName)
    .option(
      '--id <file-id>',
      'use this file id: 1 to 128 characters of A-Z a-z 0-9 . _ - ~ (default: a random id)',
    )
    .option('--sync-enabled', 'let clients request upload URLs for the file immediately')
    .action(
      act(context, async ({ open, output }, options: CreateOptions) => {
        const file = {
          organisationId: parseNewIdentifier(options.organisation, 'organisation'),
          name: options.name,
          syncEnabled: options.syncEnabled === true,
          ...(options.id !== undefined && { fileId: parseNewIdentifier(options.id, 'file') }),
        };
        showOne(output, await createFile(await open(), file), details);
      }),
    );
  return addExamples(
    command,
    '--local file create --organisation acme --name orders.csv --id orders --sync-enabled',
  );
}

function showCommand(context: AdminContext): Command {
  return new Command('show')
    .summary('show one file and its content')
    .description('Show one file and its current content. Its uploads: upload list --file ID.')
    .argument('<file-id>')
    .action(
      act(context, async ({ open, output }, fileId: string) => {
        const deployment = await open();
        const { content, ...file } = await getFile(deployment, fileId);
        const typed = content && (await withContentType(deployment, output, content));
        showOne(output, typed === undefined ? file : { ...file, content: typed }, details);
      }),
    );
}

function enableSyncCommand(context: AdminContext): Command {
  return new Command('enable-sync')
    .summary('let clients request upload URLs for a file')
    .description('Let clients request upload URLs for a file.')
    .argument('<file-id>')
    .action(
      act(context, async ({ open, output }, fileId: string) => {
        const { file, changed } = await setSyncEnabled(await open(), fileId, true);
        showOne(output, file, details);
        if (!changed) {
          note(output, `Syncing was already enabled for ${quoted(fileId)}. Nothing was changed.`);
        }
      }),
    );
}
