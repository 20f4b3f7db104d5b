import type { Command } from 'commander';
import { printable } from '../../operator/text.ts';
import { rootOf, typedLine } from '../../terminal/help.ts';

/** The command that was typed, with a greater limit. It can be typed as it is. */
export function moreCommand(command: Command, limit: number): string {
  const parameters = withoutLimit(typedParameters(command)).map(printable);
  return typedLine(rootOf(command).name(), [...parameters, '--limit', String(limit)]);
}

/** Everything after the name of the program. Commander keeps it at its root, without a type. */
function typedParameters(command: Command): readonly string[] {
  const root = rootOf(command);
  return 'rawArgs' in root && Array.isArray(root.rawArgs) ? root.rawArgs.map(String) : [];
}

function withoutLimit(parameters: readonly string[]): readonly string[] {
  return parameters.filter(
    (parameter, index) =>
      parameter !== '--limit' && !parameter.startsWith('--limit=') && parameters[index - 1] !== '--limit',
  );
}
