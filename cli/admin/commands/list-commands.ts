import { Command, Option } from 'commander';
import { UsageError } from '../../errors.ts';
import { clientStatuses, getClient, listClients } from '../../operations/clients.ts';
import { fileStatuses, getFile, listFiles } from '../../operations/files.ts';
import { listUploads, type UploadState, uploadStates } from '../../operations/uploads.ts';
import { addExamples } from '../../terminal/help.ts';
import { clientFields, fileFields, uploadFields } from './list-csv.ts';
import { addListOptions, type ListFlags, type ListKind, parseListRequest } from './list-request.ts';
import { type AdminContext, act } from './session.ts';
import { clientColumns, fileColumns, uploadColumns } from './views.ts';

const clients: ListKind = {
  noun: 'client',
  statuses: clientStatuses,
  filters: ['client', 'organisation', 'status'],
};

/** `client list` */
export function clientListCommand(context: AdminContext): Command {
  const command = new Command('list')
    .summary('list clients')
    .description(
      'List clients, newest first. The newest thousand come from an index, and what is older from the whole table.',
    );
  addExamples(command, '--local client list --organisation acme --status active');
  return addListOptions(command, clients).action(
    act(context, async (session, flags: ListFlags, command: Command) => {
      const { show, options, range, clientId, organisationId } = parseListRequest(
        session,
        clients,
        flags,
        command,
      );
      const status = clientStatuses.find((known) => known === flags.status);
      const deployment = await session.open();
      if (clientId !== undefined) {
        await getClient(deployment, clientId);
      }
      const selection = { ...range, clientId, organisationId, status };
      const view = { columns: clientColumns, csv: clientFields };
      await show(listClients(deployment, selection, options), view);
    }),
  );
}

const files: ListKind = {
  noun: 'file',
  statuses: fileStatuses,
  filters: ['file', 'organisation', 'status'],
};

/** `file list` */
export function fileListCommand(context: AdminContext): Command {
  const command = new Command('list')
    .summary('list files')
    .description(
      'List files, newest first. The newest thousand come from an index, and what is older from the whole table. The ' +
        'status of a file is whether syncing is enabled, or that it was deleted.',
    );
  addExamples(command, '--local file list --organisation acme --since 7d');
  return addListOptions(command, files).action(
    act(context, async (session, flags: ListFlags, command: Command) => {
      const { show, options, range, fileId, organisationId } = parseListRequest(
        session,
        files,
        flags,
        command,
      );
      const status = fileStatuses.find((known) => known === flags.status);
      const deployment = await session.open();
      if (fileId !== undefined) {
        await getFile(deployment, fileId);
      }
      const selection = { ...range, fileId, organisationId, status };
      await show(listFiles(deployment, selection, options), { columns: fileColumns, csv: fileFields });
    }),
  );
}

const uploads: ListKind = {
  noun: 'upload',
  statuses: uploadStates,
  filters: ['file', 'organisation', 'client', 'status'],
};

interface UploadListFlags extends ListFlags {
  readonly state?: string;
}

/** `upload list` */
export function uploadListCommand(context: AdminContext): Command {
  const command = new Command('list')
    .summary('list uploads')
    .description(
      'List uploads, newest first. With --file or --organisation, an index gives all of them in this order. Otherwise ' +
        'the newest thousand come from the index, and what is older from the whole table.',
    )
    .addOption(
      new Option('--state <state>', 'list only uploads in this state, as --status does').choices(
        uploadStates,
      ),
    );
  addExamples(command, '--local upload list --file orders --state completed --since 7d');
  return addListOptions(command, uploads).action(
    act(context, async (session, { state, ...others }: UploadListFlags, command: Command) => {
      const flags = withState(others, state);
      const { show, options, range, fileId, organisationId, clientId } = parseListRequest(
        session,
        uploads,
        flags,
        command,
      );
      if (fileId !== undefined && organisationId !== undefined) {
        throw new UsageError('A file has one organisation: give either --file ID or --organisation ID.');
      }
      const deployment = await session.open();
      // An empty list for an unknown id would look as if nothing had been uploaded.
      if (fileId !== undefined) {
        await getFile(deployment, fileId);
      }
      if (clientId !== undefined) {
        await getClient(deployment, clientId);
      }
      const selection = { ...range, fileId, organisationId, clientId, state: stateOf(flags.status) };
      await show(listUploads(deployment, selection, options), { columns: uploadColumns, csv: uploadFields });
    }),
  );
}

/** `--state` is the older name of `--status`. */
function withState(flags: ListFlags, state: string | undefined): ListFlags {
  if (state === undefined) {
    return flags;
  }
  if (flags.status !== undefined) {
    throw new UsageError('--state and --status are the same: give one of them.');
  }
  return { ...flags, status: state };
}

function stateOf(status: string | undefined): UploadState | undefined {
  return uploadStates.find((state) => state === status);
}
