import { Command } from 'commander';
import { showOne } from '../../output.ts';
import { removeSecret } from '../client-secrets.ts';
import { type AdminContext, act } from '../session.ts';
import { clientDetails } from '../views.ts';

export function clientRemoveSecretCommand(context: AdminContext): Command {
  return new Command('remove-secret')
    .summary('end one secret of a client')
    .description('End one secret of a client, at once. The last one that works cannot be removed.')
    .argument('<client-id>')
    .requiredOption('--secret-id <id>', 'which one: client show lists them')
    .action(
      act(context, async ({ open, output }, clientId: string, options: { secretId: string }) => {
        showOne(output, await removeSecret(await open(), clientId, options.secretId), clientDetails);
      }),
    );
}
