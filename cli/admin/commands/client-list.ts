import { Command } from 'commander';
import { showList } from '../../output.ts';
import { listClients } from '../clients.ts';
import { type AdminContext, act } from '../session.ts';
import { clientColumns } from '../views.ts';

export function clientListCommand(context: AdminContext): Command {
  return new Command('list').description('List every client.').action(
    act(context, async ({ open, output }) => {
      showList(output, await listClients(await open()), clientColumns, 'client');
    }),
  );
}
