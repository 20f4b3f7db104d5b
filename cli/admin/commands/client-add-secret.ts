import { Command } from 'commander';
import { addSecret } from '../client-secrets.ts';
import { type AdminContext, act } from '../session.ts';
import { showClientWithSecret } from '../show-secret.ts';

export function clientAddSecretCommand(context: AdminContext): Command {
  return new Command('add-secret')
    .summary('give a client a second secret')
    .description('Give a client a second live secret, shown this once. A client has at most two.')
    .argument('<client-id>')
    .action(
      act(context, async ({ open, output }, clientId: string) => {
        showClientWithSecret(output, await addSecret(await open(), clientId));
      }),
    );
}
