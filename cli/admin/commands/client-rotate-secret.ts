import { Command } from 'commander';
import { parseDuration } from '../../identifiers.ts';
import { rotateSecret } from '../client-secrets.ts';
import { type AdminContext, act } from '../session.ts';
import { showClientWithSecret } from '../show-secret.ts';

export function clientRotateSecretCommand(context: AdminContext): Command {
  return new Command('rotate-secret')
    .summary('replace the secret of a client')
    .description('Give a client a new secret, shown this once, and the present one an end.')
    .argument('<client-id>')
    .option('--grace <time>', 'how long the present secret still works: 0s to 365d', '7d')
    .addHelpText('after', '\nExample:\n  admin --local client rotate-secret CLIENT_ID --grace 12h')
    .action(
      act(context, async ({ open, output }, clientId: string, options: { grace: string }) => {
        const grace = parseDuration(options.grace);
        showClientWithSecret(output, await rotateSecret(await open(), clientId, grace));
      }),
    );
}
