import { Command } from 'commander';
import { parseName, parseNewIdentifier } from '../../identifiers.ts';
import { showOne } from '../../output.ts';
import { createFile } from '../files.ts';
import { type AdminContext, act } from '../session.ts';
import { fileDetails } from '../views.ts';

interface Options {
  readonly organisation: string;
  readonly name: string;
  readonly id?: string;
  readonly syncEnabled?: boolean;
}

export function fileCreateCommand(context: AdminContext): Command {
  return new Command('create')
    .description('Make a file of an organisation.')
    .requiredOption('--organisation <id>', 'organisation that the file belongs to, for ever')
    .requiredOption('--name <name>', 'what people call it')
    .option('--id <file-id>', 'its identifier: 1 to 128 of A-Z a-z 0-9 . _ - ~ (default: a new one)')
    .option('--sync-enabled', 'let clients ask for upload URLs at once')
    .addHelpText(
      'after',
      '\nExample:\n  admin --local file create --organisation acme --name orders.csv --id orders --sync-enabled',
    )
    .action(
      act(context, async ({ open, output }, options: Options) => {
        const file = {
          organisationId: parseNewIdentifier(options.organisation, 'organisation'),
          name: parseName(options.name),
          syncEnabled: options.syncEnabled === true,
          ...(options.id !== undefined && { fileId: parseNewIdentifier(options.id, 'file') }),
        };
        showOne(output, await createFile(await open(), file), fileDetails);
      }),
    );
}
