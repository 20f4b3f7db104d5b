import { Command, Option } from 'commander';
import { scopes } from '../../../contract/scopes.ts';
import {
  createClient,
  getClient,
  restoreClient,
  revokeClient,
  setScopes,
} from '../../operator/clients/client.ts';
import { parseName, parseNewIdentifier, parseScopes } from '../../operator/parse-input.ts';
import { quoted } from '../../operator/text.ts';
import { addExamples } from '../../terminal/help.ts';
import { note, showOne } from '../../terminal/output.ts';
import { deleteClientCommand } from './delete.ts';
import { clientListCommand } from './list.ts';
import { renameClientCommand } from './rename.ts';
import { type AdminContext, act, type MakeCommand } from './session.ts';
import { details, showClientWithSecret } from './views.ts';

/** The commands of `admin client`, without those of its secrets. */
export const clientCommands: readonly MakeCommand[] = [
  createCommand,
  clientListCommand,
  showCommand,
  revokeCommand,
  restoreCommand,
  setScopesCommand,
  renameClientCommand,
  deleteClientCommand,
];

interface CreateOptions {
  readonly organisation: string;
  readonly name: string;
  readonly scope?: readonly string[];
}

function createCommand(context: AdminContext): Command {
  const command = new Command('create')
    .summary('create a client and show its secret once')
    .description(
      'Create a client for an organisation and show its client secret. The secret cannot be shown again.',
    )
    .requiredOption('--organisation <id>', 'assign the client to this organisation (cannot be changed later)')
    .requiredOption('--name <name>', 'set the display name', parseName);
  addExamples(
    command,
    '--local client create --organisation acme --name "Nightly export" --scope volume:read --scope sync:create',
  );
  return addScopeOption(command).action(
    act(context, async ({ open, output }, options: CreateOptions) => {
      const client = {
        organisationId: parseNewIdentifier(options.organisation, 'organisation'),
        name: options.name,
        scopes: parseScopes(options.scope ?? []),
      };
      const deployment = await open();
      showClientWithSecret(output, await createClient(deployment, client), deployment.outputs.BaseUrl);
    }),
  );
}

function showCommand(context: AdminContext): Command {
  return new Command('show')
    .summary('show one client')
    .description('Show one client. Each secret is listed by its id, creation and end, never by its value.')
    .argument('<client-id>')
    .action(
      act(context, async ({ open, output }, clientId: string) => {
        showOne(output, await getClient(await open(), clientId), details);
      }),
    );
}

function revokeCommand(context: AdminContext): Command {
  return new Command('revoke')
    .summary('stop issuing tokens to a client')
    .description(
      'Stop issuing tokens to a client immediately. Tokens already issued work until they expire. ' +
        'If the client is already revoked, nothing changes and the exit code is 0.',
    )
    .argument('<client-id>')
    .action(
      act(context, async ({ open, output }, clientId: string) => {
        const { client, changed } = await revokeClient(await open(), clientId);
        showOne(output, client, details);
        note(
          output,
          changed
            ? 'This client gets no new tokens. Tokens already issued work until they expire.'
            : `The client ${quoted(clientId)} was already revoked. Nothing was changed.`,
        );
      }),
    );
}

function restoreCommand(context: AdminContext): Command {
  return new Command('restore')
    .summary('undo a revocation')
    .description('Undo a revocation. The client can get tokens again, with the secrets that it had.')
    .argument('<client-id>')
    .action(
      act(context, async ({ open, output }, clientId: string) => {
        const { client, changed } = await restoreClient(await open(), clientId);
        showOne(output, client, details);
        if (!changed) {
          note(output, `The client ${quoted(clientId)} is not revoked. Nothing was changed.`);
        }
      }),
    );
}

function setScopesCommand(context: AdminContext): Command {
  const command = new Command('set-scopes')
    .summary('replace the scopes of a client')
    .description(
      'Replace the scopes of a client. New tokens get the new scopes; tokens already issued keep theirs.',
    )
    .argument('<client-id>');
  return addScopeOption(command).action(
    act(context, async ({ open, output }, clientId: string, options: { scope?: readonly string[] }) => {
      const scopes = parseScopes(options.scope ?? []);
      showOne(output, await setScopes(await open(), clientId, scopes), details);
    }),
  );
}

function addScopeOption(command: Command): Command {
  const option = new Option('--scope <scope>', 'allow this scope (repeatable)')
    .choices(scopes)
    .argParser((value: string, previous: readonly string[] = []) => [...previous, value]);
  return command.addOption(option);
}
