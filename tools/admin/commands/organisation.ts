import { Command } from 'commander';
import { listClients } from '../../operator/clients/client.ts';
import { clients } from '../../operator/clients/fields.ts';
import { several } from '../../operator/description/action.ts';
import { files } from '../../operator/files/fields.ts';
import { listFiles } from '../../operator/files/file.ts';
import { allOf } from '../../operator/lists/list.ts';
import { parseNewIdentifier } from '../../operator/parse-input.ts';
import { notFound } from '../../operator/sought-text.ts';
import { showResult } from '../../terminal/entity.ts';
import { showJson } from '../../terminal/output.ts';
import { type AdminContext, act } from './session.ts';

/** `organisation show` */
export function showOrganisationCommand(context: AdminContext): Command {
  return new Command('show')
    .summary('show the clients and files of an organisation')
    .description('Show the clients and the files of an organisation, newest first.')
    .argument('<organisation-id>')
    .action(
      act(context, async ({ open, output }, id: string) => {
        const selection = { organisation: parseNewIdentifier(id, 'organisation') };
        const deployment = await open();
        const itsClients = await allOf(listClients(deployment, selection));
        const itsFiles = await allOf(listFiles(deployment, selection));
        if (itsClients.length + itsFiles.length === 0) {
          throw notFound('client and no file of organisation', id);
        }
        if (output.json) {
          showJson(output, { organisation_id: id, clients: itsClients, files: itsFiles });
          return;
        }
        showResult(output, several(clients, itsClients));
        output.stdout.write('\n');
        showResult(output, several(files, itsFiles));
      }),
    );
}
