import { Command } from 'commander';
import { addSecret, removeSecret, rotateSecret } from '../../operator/clients/secrets.ts';
import { parseDuration } from '../../operator/parse-input.ts';
import { addExamples } from '../../terminal/help.ts';
import { showOne } from '../../terminal/output.ts';
import { type AdminContext, act, type MakeCommand } from './session.ts';
import { details, showClientWithSecret } from './views.ts';

/** The commands of `admin client` that change a client's secrets. */
export const clientSecretCommands: readonly MakeCommand[] = [
  addSecretCommand,
  removeSecretCommand,
  rotateSecretCommand,
];

function addSecretCommand(context: AdminContext): Command {
  return new Command('add-secret')
    .summary('add a second secret to a client')
    .description(
      'Add a second secret to a client and show it. The secret cannot be shown again. A client has at most two.',
    )
    .argument('<client-id>')
    .action(
      act(context, async ({ open, output }, clientId: string) => {
        const deployment = await open();
        const client = await addSecret(deployment, clientId);
        showClientWithSecret(output, client, deployment.outputs.BaseUrl);
      }),
    );
}

function removeSecretCommand(context: AdminContext): Command {
  return new Command('remove-secret')
    .summary('end one secret of a client')
    .description(
      'End one secret of a client immediately. The last secret that still works cannot be removed.',
    )
    .argument('<client-id>')
    .requiredOption('--secret-id <id>', 'end this secret (client show lists the ids)')
    .action(
      act(context, async ({ open, output }, clientId: string, options: { secretId: string }) => {
        showOne(output, await removeSecret(await open(), clientId, options.secretId), details);
      }),
    );
}

function rotateSecretCommand(context: AdminContext): Command {
  const command = new Command('rotate-secret')
    .summary('replace the secret of a client')
    .description(
      'Give a client a new secret and show it. The secret cannot be shown again. The old secret ends after the grace time.',
    )
    .argument('<client-id>')
    .option('--grace <time>', 'keep the old secret working for this long: 0s to 365d', '7d')
    .action(
      act(context, async ({ open, output }, clientId: string, options: { grace: string }) => {
        const grace = parseDuration(options.grace);
        const deployment = await open();
        const client = await rotateSecret(deployment, clientId, grace);
        showClientWithSecret(output, client, deployment.outputs.BaseUrl);
      }),
    );
  return addExamples(command, '--local client rotate-secret CLIENT_ID --grace 12h');
}
