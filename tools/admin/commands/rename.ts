import { Command } from 'commander';
import { renameClient } from '../../operator/clients/client.ts';
import { renameFile } from '../../operator/files/file.ts';
import { parseName } from '../../operator/parse-input.ts';
import { showOne } from '../../terminal/output.ts';
import { act, type MakeCommand } from './session.ts';
import { details } from './views.ts';

/** `client rename` */
export const renameClientCommand = renameCommand('client', renameClient, 'its secrets and its tokens');

/** `file rename` */
export const renameFileCommand = renameCommand('file', renameFile, 'its content and its upload URLs');

function renameCommand(
  noun: 'client' | 'file',
  rename: typeof renameClient | typeof renameFile,
  unchanged: string,
): MakeCommand {
  return (context) =>
    new Command('rename')
      .summary(`change the display name of a ${noun}`)
      .description(`Change the display name of a ${noun}. Its id, ${unchanged} stay as they are.`)
      .argument(`<${noun}-id>`)
      .requiredOption('--name <name>', 'set this display name')
      .action(
        act(context, async ({ open, output }, id: string, options: { name: string }) => {
          const name = parseName(options.name);
          showOne(output, await rename(await open(), id, name), details);
        }),
      );
}
