import { Command } from 'commander';
import { listClients } from '../../operator/clients/client.ts';
import { OperationError } from '../../operator/errors.ts';
import { listFiles } from '../../operator/files/file.ts';
import { allOf } from '../../operator/lists/list.ts';
import { type Count, readOrganisations } from '../../operator/organisations/organisation.ts';
import { parseNewIdentifier } from '../../operator/parse-input.ts';
import { quoted } from '../../operator/text.ts';
import { showJson, showList } from '../../terminal/output.ts';
import type { Column } from '../../terminal/table.ts';
import { deleteOrganisationCommand } from './delete.ts';
import { type AdminContext, act, type MakeCommand } from './session.ts';
import { clientColumns, fileColumns } from './views.ts';

/** The commands of `admin organisation`. */
export const organisationCommands: readonly MakeCommand[] = [
  listCommand,
  showCommand,
  deleteOrganisationCommand,
];

type Organisation = Awaited<ReturnType<typeof readOrganisations>>['organisations'][number];

const columns: readonly Column<Organisation>[] = [
  { heading: 'ORGANISATION', value: ({ organisation_id }) => organisation_id },
  { heading: 'CLIENTS', value: ({ clients }) => countText(clients), align: 'right' },
  { heading: 'FILES', value: ({ files }) => countText(files), align: 'right' },
];

function countText({ count, isPartial }: Count): string {
  return isPartial ? `${count} or more` : String(count);
}

function listCommand(context: AdminContext): Command {
  return new Command('list')
    .summary('list organisations')
    .description(
      'List the organisations that have a client or a file, with how many of each. Up to 100 are counted.',
    )
    .action(
      act(context, async ({ open, output }) => {
        const all = { enough: Number.POSITIVE_INFINITY };
        const { organisations } = await readOrganisations(await open(), all);
        showList(output, organisations, columns, 'organisation');
      }),
    );
}

function showCommand(context: AdminContext): Command {
  return new Command('show')
    .summary('show the clients and files of an organisation')
    .description('Show the clients and the files of an organisation, newest first.')
    .argument('<organisation-id>')
    .action(
      act(context, async ({ open, output }, id: string) => {
        const selection = { organisationId: parseNewIdentifier(id, 'organisation') };
        const deployment = await open();
        const clients = await allOf(listClients(deployment, selection));
        const files = await allOf(listFiles(deployment, selection));
        if (clients.length + files.length === 0) {
          throw new OperationError(
            'not found',
            `There is no client and no file of organisation ${quoted(id)}.`,
          );
        }
        if (output.json) {
          showJson(output, { organisation_id: id, clients, files });
          return;
        }
        showList(output, clients, clientColumns, 'client');
        output.stdout.write('\n');
        showList(output, files, fileColumns, 'file');
      }),
    );
}
