import { Command } from 'commander';
import { showOne } from '../../output.ts';
import { getClient } from '../clients.ts';
import { type AdminContext, act } from '../session.ts';
import { clientDetails } from '../views.ts';

export function clientShowCommand(context: AdminContext): Command {
  return new Command('show')
    .summary('show one client')
    .description('Show one client. Its secrets are listed by id, creation and end, never by value.')
    .argument('<client-id>')
    .action(
      act(context, async ({ open, output }, clientId: string) => {
        showOne(output, await getClient(await open(), clientId), clientDetails);
      }),
    );
}
