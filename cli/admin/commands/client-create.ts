import { Command } from 'commander';
import { parseName, parseNewIdentifier, parseScopes } from '../../identifiers.ts';
import { collect } from '../../options.ts';
import { createClient } from '../clients.ts';
import { type AdminContext, act } from '../session.ts';
import { showClientWithSecret } from '../show-secret.ts';

interface Options {
  readonly organisation: string;
  readonly name: string;
  readonly scope?: readonly string[];
}

export function clientCreateCommand(context: AdminContext): Command {
  return new Command('create')
    .summary('make a client and show its secret, once')
    .description('Make a client of an organisation. Its client secret is shown this once.')
    .requiredOption('--organisation <id>', 'organisation that the client belongs to, for ever')
    .requiredOption('--name <name>', 'what people call it')
    .option('--scope <scope>', 'what it may request: volume:read, sync:create (repeatable)', collect)
    .addHelpText(
      'after',
      '\nExample:\n  admin --local client create --organisation acme --name "Nightly export" \\\n' +
        '    --scope volume:read --scope sync:create',
    )
    .action(
      act(context, async ({ open, output }, options: Options) => {
        const client = {
          organisationId: parseNewIdentifier(options.organisation, 'organisation'),
          name: parseName(options.name),
          scopes: parseScopes(options.scope ?? []),
        };
        showClientWithSecret(output, await createClient(await open(), client));
      }),
    );
}
