import { Command } from 'commander';
import { parseScopes } from '../../identifiers.ts';
import { collect } from '../../options.ts';
import { showOne } from '../../output.ts';
import { setScopes } from '../clients.ts';
import { type AdminContext, act } from '../session.ts';
import { clientDetails } from '../views.ts';

export function clientSetScopesCommand(context: AdminContext): Command {
  return new Command('set-scopes')
    .summary('replace what a client may request')
    .description('Replace the scopes of a client. New tokens follow; tokens already issued keep theirs.')
    .argument('<client-id>')
    .option('--scope <scope>', 'what it may request: volume:read, sync:create (repeatable)', collect)
    .action(
      act(context, async ({ open, output }, clientId: string, options: { scope?: readonly string[] }) => {
        const scopes = parseScopes(options.scope ?? []);
        showOne(output, await setScopes(await open(), clientId, scopes), clientDetails);
      }),
    );
}
