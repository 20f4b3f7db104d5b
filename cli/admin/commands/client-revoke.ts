import { Command } from 'commander';
import { note, showOne } from '../../output.ts';
import { quoted } from '../../text.ts';
import { revokeClient } from '../clients.ts';
import { type AdminContext, act } from '../session.ts';
import { clientDetails } from '../views.ts';

export function clientRevokeCommand(context: AdminContext): Command {
  return new Command('revoke')
    .summary('end issuing tokens to a client')
    .description(
      'End issuing tokens to a client, at once. Tokens already issued work until they expire.\n' +
        'Revoking a revoked client says so, changes nothing and exits 0.',
    )
    .argument('<client-id>')
    .action(
      act(context, async ({ open, output }, clientId: string) => {
        const { client, changed } = await revokeClient(await open(), clientId);
        showOne(output, client, clientDetails);
        note(
          output,
          changed
            ? 'No new token is issued to this client. Tokens already issued work until they expire.'
            : `The client ${quoted(clientId)} was revoked already. Nothing was changed.`,
        );
      }),
    );
}
