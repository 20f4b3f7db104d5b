import { Command } from 'commander';
import type { Deployment } from '../../operator/deployment/deployment.ts';
import { createFile, getFile, setSyncEnabled } from '../../operator/files.ts';
import { allOf } from '../../operator/lists.ts';
import { parseLimit, parseName, parseNewIdentifier } from '../../operator/parse-input.ts';
import { quoted } from '../../operator/text.ts';
import { listUploads, type Upload } from '../../operator/uploads.ts';
import { UsageError } from '../../terminal/errors.ts';
import { addExamples } from '../../terminal/help.ts';
import { streamJson } from '../../terminal/list-output.ts';
import { note, type Output, showList, showOne } from '../../terminal/output.ts';
import { deleteFileCommand } from './delete.ts';
import { disableSyncCommand } from './disable-sync.ts';
import { downloadCommand } from './download.ts';
import { withContentType } from './form-warning.ts';
import { fileListCommand } from './list.ts';
import { renameFileCommand } from './rename.ts';
import { type AdminContext, act, type MakeCommand } from './session.ts';
import { details, uploadColumns, withoutRepeated } from './views.ts';

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

/** For people, `file show` lists this many of the newest uploads, and JSON all, unless `--limit` says otherwise. */
const defaultShownUploads = 20;

/** The most for people. They are in memory at the same time; `upload list` and JSON are not. */
const maximumShownUploads = 1000;

function showCommand(context: AdminContext): Command {
  return new Command('show')
    .summary('show one file, its content and its uploads')
    .description('Show one file, its current content, and the uploads issued for it, newest first.')
    .argument('<file-id>')
    .option(
      '--limit <count>',
      `show only the newest uploads (default: ${defaultShownUploads}, with --json all)`,
    )
    .action(
      act(context, async ({ open, output, typed }, fileId: string, flags: { readonly limit?: string }) => {
        const limit = flags.limit === undefined ? undefined : parseLimit(flags.limit);
        const listAll = typed('upload', 'list', '--file', fileId);
        if (!output.json && limit !== undefined && limit > maximumShownUploads) {
          throw new UsageError(
            `file show lists at most ${maximumShownUploads} uploads. List more with: ${listAll}`,
          );
        }
        const deployment = await open();
        const file = await getTypedFile(deployment, output, fileId);
        if (output.json) {
          const history = listUploads(deployment, { fileId }, limit === undefined ? {} : { limit });
          await streamJson(output, history, { head: file, name: 'history' });
          return;
        }
        const most = limit ?? defaultShownUploads;
        const history = await allOf(listUploads(deployment, { fileId }, { limit: most + 1 }));
        showOne(output, file, details);
        showHistory(output, { fileId, history, most, listAll });
      }),
    );
}

async function getTypedFile(deployment: Deployment, output: Output, fileId: string): Promise<object> {
  const { content, ...file } = await getFile(deployment, fileId);
  return content === undefined
    ? file
    : { ...file, content: await withContentType(deployment, output, content) };
}

interface ShownHistory {
  readonly fileId: string;
  /** One upload more than is shown, if there are so many. */
  readonly history: readonly Upload[];
  readonly most: number;
  /** The command that lists all of them. */
  readonly listAll: string;
}

function showHistory(output: Output, { fileId, history, most, listAll }: ShownHistory): void {
  output.stdout.write('\n');
  const columns = withoutRepeated(uploadColumns, { file: fileId, organisation: '' });
  showList(output, history.slice(0, most), columns, 'upload');
  if (history.length > most) {
    note(output, `Older uploads are not shown. List all with: ${listAll}`);
  }
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
