import { Command } from 'commander';
import { clientStatuses, getClient, listClients } from '../../operator/clients.ts';
import { fileStatuses, getFile, listFiles } from '../../operator/files.ts';
import { clientFields, fileFields, uploadFields } from '../../operator/list-csv.ts';
import { parseNewIdentifier } from '../../operator/parse-input.ts';
import { listUploads, uploadStates } from '../../operator/uploads.ts';
import { UsageError } from '../../terminal/errors.ts';
import { addExamples } from '../../terminal/help.ts';
import { addListOptions, given, type ListFlags, parseListRequest } from './list-request.ts';
import { type AdminContext, act } from './session.ts';
import { clientColumns, fileColumns, uploadColumns } from './views.ts';

interface NamedListFlags extends ListFlags {
  readonly name?: string;
}

/** `client list` */
export function clientListCommand(context: AdminContext): Command {
  const command = new Command('list').summary('list clients').description('List clients, newest first.');
  addExamples(command, '--local client list --organisation acme --status active');
  addListOptions(command, 'client', clientStatuses);
  return command.option('--name <text>', 'list only clients with this text in their name or id').action(
    act(context, async (session, flags: NamedListFlags, command: Command) => {
      const { show, options, range, organisationId } = parseListRequest(session, 'client', flags, command);
      const status = clientStatuses.find((known) => known === flags.status);
      const deployment = await session.open();
      const selection = { ...range, organisationId, status, text: flags.name };
      const view = { columns: clientColumns, csv: clientFields };
      await show(listClients(deployment, selection, options), view);
    }),
  );
}

/** `file list` */
export function fileListCommand(context: AdminContext): Command {
  const command = new Command('list')
    .summary('list files')
    .description(
      'List files, newest first. The status of a file is whether syncing is enabled, or that it was deleted.',
    );
  addExamples(command, '--local file list --organisation acme --since 7d');
  addListOptions(command, 'file', fileStatuses);
  return command.option('--name <text>', 'list only files with this text in their name or id').action(
    act(context, async (session, flags: NamedListFlags, command: Command) => {
      const { show, options, range, organisationId } = parseListRequest(session, 'file', flags, command);
      const status = fileStatuses.find((known) => known === flags.status);
      const deployment = await session.open();
      const selection = { ...range, organisationId, status, text: flags.name };
      await show(listFiles(deployment, selection, options), { columns: fileColumns, csv: fileFields });
    }),
  );
}

interface UploadListFlags extends ListFlags {
  readonly file?: string;
  readonly client?: string;
  readonly request?: string;
}

/** `upload list` */
export function uploadListCommand(context: AdminContext): Command {
  const command = new Command('list').summary('list uploads').description('List uploads, newest first.');
  addExamples(command, '--local upload list --file orders --status completed --since 7d');
  addListOptions(command, 'upload', uploadStates);
  return command
    .option('--file <id>', 'list only uploads of this file')
    .option('--client <id>', 'list only uploads of this client')
    .option('--request <id>', 'list only the upload whose URL was issued to this request')
    .action(
      act(context, async (session, flags: UploadListFlags, command: Command) => {
        const { show, options, range, organisationId } = parseListRequest(session, 'upload', flags, command);
        const fileId = given(flags.file, (id) => parseNewIdentifier(id, 'file'));
        const clientId = given(flags.client, (id) => parseNewIdentifier(id, 'client'));
        if (fileId !== undefined && organisationId !== undefined) {
          throw new UsageError('A file has one organisation: give either --file ID or --organisation ID.');
        }
        const deployment = await session.open();
        // An empty list for an unknown id would look as if nothing had been uploaded.
        if (fileId !== undefined) {
          await getFile(deployment, fileId);
        }
        const client = clientId === undefined ? undefined : await getClient(deployment, clientId);
        const selection = {
          ...range,
          fileId,
          clientId,
          organisationId: organisationId ?? client?.organisation_id,
          state: uploadStates.find((state) => state === flags.status),
          requestId: flags.request,
        };
        const view = { columns: uploadColumns, csv: uploadFields };
        await show(listUploads(deployment, selection, options), view);
      }),
    );
}
