import { Command } from 'commander';
import { note, showOne } from '../../output.ts';
import { quoted } from '../../text.ts';
import { restoreClient } from '../clients.ts';
import { type AdminContext, act } from '../session.ts';
import { clientDetails } from '../views.ts';

export function clientRestoreCommand(context: AdminContext): Command {
  return new Command('restore')
    .summary('undo a revocation')
    .description('Undo a revocation: the client can get tokens again, with the secrets that it had.')
    .argument('<client-id>')
    .action(
      act(context, async ({ open, output }, clientId: string) => {
        const { client, changed } = await restoreClient(await open(), clientId);
        showOne(output, client, clientDetails);
        if (!changed) note(output, `The client ${quoted(clientId)} is not revoked. Nothing was changed.`);
      }),
    );
}
