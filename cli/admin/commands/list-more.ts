import type { Command } from 'commander';
import { printable } from '../../text.ts';

/** What starts the admin program from the repository, as README shows it. */
const program = 'npm run -s admin --';

/** The command that was typed, with a greater limit. It can be typed as it is. */
export function moreCommand(command: Command, limit: number): string {
  const words = withoutLimit(typedParameters(command)).map(quotedForShell);
  return [program, ...words, '--limit', limit].join(' ');
}

/** Everything after the name of the program. Commander keeps it at its root, without a type. */
function typedParameters(command: Command): readonly string[] {
  const root = rootOf(command);
  return 'rawArgs' in root && Array.isArray(root.rawArgs) ? root.rawArgs.map(String) : [];
}

function rootOf(command: Command): Command {
  return command.parent === null ? command : rootOf(command.parent);
}

function withoutLimit(parameters: readonly string[]): readonly string[] {
  return parameters.filter(
    (parameter, index) =>
      parameter !== '--limit' && !parameter.startsWith('--limit=') && parameters[index - 1] !== '--limit',
  );
}

/** Quotes a word for a POSIX shell, if that is needed. */
function quotedForShell(word: string): string {
  const text = printable(word);
  return /^[\w.,:/=~@%+-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
}
