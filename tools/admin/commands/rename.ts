import { Command } from 'commander';
import { renameClient } from '../../operator/clients.ts';
import { renameFile } from '../../operator/files.ts';
import { parseName } from '../../operator/parse-input.ts';
import { showOne } from '../../terminal/output.ts';
import { type AdminContext, act } from './session.ts';
import { clientDetails, fileDetails } from './views.ts';

/** `admin client rename`. */
export function renameClientCommand(context: AdminContext): Command {
  return new Command('rename')
    .summary('change the display name of a client')
    .description('Change the display name of a client. Its id, its secrets and its tokens stay as they are.')
    .argument('<client-id>')
    .requiredOption('--name <name>', 'set this display name')
    .action(
      act(context, async ({ open, output }, clientId: string, options: { name: string }) => {
        const name = parseName(options.name);
        showOne(output, await renameClient(await open(), clientId, name), clientDetails);
      }),
    );
}

/** `admin file rename`. */
export function renameFileCommand(context: AdminContext): Command {
  return new Command('rename')
    .summary('change the display name of a file')
    .description(
      'Change the display name of a file. Its id, its content and its upload URLs stay as they are.',
    )
    .argument('<file-id>')
    .requiredOption('--name <name>', 'set this display name')
    .action(
      act(context, async ({ open, output }, fileId: string, options: { name: string }) => {
        const name = parseName(options.name);
        showOne(output, await renameFile(await open(), fileId, name), fileDetails);
      }),
    );
}
