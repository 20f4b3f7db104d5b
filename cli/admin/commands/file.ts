import { Command } from 'commander';
import { createFile, getFile, listFiles, setSyncEnabled } from '../../operations/files.ts';
import { parseName, parseNewIdentifier } from '../../operations/parse-input.ts';
import { listUploads, type Upload } from '../../operations/uploads.ts';
import { addExamples } from '../../terminal/help.ts';
import { note, type Output, showJson, showList, showOne } from '../../terminal/output.ts';
import { createProgress } from '../../terminal/progress.ts';
import { printable, quoted } from '../../text.ts';
import { downloadFile } from '../download/download-file.ts';
import { type AdminContext, act, type MakeCommand } from './session.ts';
import { downloadDetails, fileColumns, fileDetails, uploadColumns } from './views.ts';

/** The commands of `admin file`. */
export const fileCommands: readonly MakeCommand[] = [
  createCommand,
  listCommand,
  showCommand,
  enableSyncCommand,
  disableSyncCommand,
  downloadCommand,
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
        showOne(output, await createFile(await open(), file), fileDetails);
      }),
    );
  return addExamples(
    command,
    '--local file create --organisation acme --name orders.csv --id orders --sync-enabled',
  );
}

function listCommand(context: AdminContext): Command {
  return new Command('list')
    .summary('list the files of an organisation')
    .description('List the files of an organisation.')
    .requiredOption('--organisation <id>', 'list the files of this organisation')
    .action(
      act(context, async ({ open, output }, options: { organisation: string }) => {
        const organisationId = parseNewIdentifier(options.organisation, 'organisation');
        showList(output, await listFiles(await open(), organisationId), fileColumns, 'file');
      }),
    );
}

/** For people, `file show` lists the newest uploads only. JSON has all of them. */
const maximumShownUploads = 20;

function showCommand(context: AdminContext): Command {
  return new Command('show')
    .summary('show one file, its content and its uploads')
    .description('Show one file, its current content, and the uploads issued for it, newest first.')
    .argument('<file-id>')
    .action(
      act(context, async ({ open, output, typed }, fileId: string) => {
        const deployment = await open();
        const file = await getFile(deployment, fileId);
        const limit = output.json ? undefined : maximumShownUploads + 1;
        const history = await listUploads(deployment, { fileId }, limit);
        if (output.json) {
          showJson(output, { ...file, history });
          return;
        }
        showOne(output, file, fileDetails);
        showHistory(output, history, typed('upload', 'list', '--file', fileId));
      }),
    );
}

/** @param listAll the command that lists all of them */
function showHistory(output: Output, history: readonly Upload[], listAll: string): void {
  output.stdout.write('\n');
  showList(output, history.slice(0, maximumShownUploads), uploadColumns, 'upload');
  if (history.length > maximumShownUploads) {
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
        showOne(output, file, fileDetails);
        if (!changed) {
          note(output, `Syncing was already enabled for ${quoted(fileId)}. Nothing was changed.`);
        }
      }),
    );
}

function disableSyncCommand(context: AdminContext): Command {
  return new Command('disable-sync')
    .summary('stop issuing upload URLs for a file')
    .description(
      'Stop issuing upload URLs for a file. URLs already issued still work: close them with upload cancel.',
    )
    .argument('<file-id>')
    .action(
      act(context, async ({ open, output }, fileId: string) => {
        const { file, changed } = await setSyncEnabled(await open(), fileId, false);
        showOne(output, file, fileDetails);
        if (!changed) {
          note(output, `Syncing was not enabled for ${quoted(fileId)}. Nothing was changed.`);
        }
      }),
    );
}

/** A transfer that has stood still for a minute rarely continues. */
const downloadIdleMilliseconds = 60_000;

function downloadCommand(context: AdminContext): Command {
  const command = new Command('download')
    .summary('download the current content of a file')
    .description(
      'Download the current content of a file. The output file appears only after its size and ETag are verified. ' +
        'The download fails when no data arrives for 60 s. Folders, links and devices are never replaced.',
    )
    .argument('<file-id>')
    .requiredOption('--output <path>', 'write the content to this path')
    .option('--force', 'replace the output file if it exists')
    .action(
      act(context, async ({ open, output }, fileId: string, options: { output: string; force?: boolean }) => {
        const download = await downloadFile(await open(), {
          fileId,
          output: options.output,
          force: options.force === true,
          idleMilliseconds: downloadIdleMilliseconds,
          progress: (total) =>
            createProgress({ label: `Downloading ${printable(fileId)}`, total, stream: output.stderr }),
        });
        showOne(output, download, downloadDetails);
      }),
    );
  return addExamples(command, '--local file download orders --output orders.csv');
}
