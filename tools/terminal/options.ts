import type { Command } from 'commander';

/**
 * Refuses what commander lets pass: a second value for an option, which would replace the first one, and empty values,
 * which usually come from a variable that is not set.
 *
 * @param repeatable options that may be given more than once
 */
export function refuseRepeatedAndEmpty(program: Command, repeatable: readonly string[]): void {
  // An option of the program may stand before or after the command. It has the same form in both places.
  const given = new Set<string>();
  for (const command of withCommands(program)) {
    for (const option of command.options) {
      command.on(`option:${option.name()}`, (value: unknown) => {
        // Options with a parser have checked their value.
        if (value === '' && option.parseArg === undefined) {
          command.error(`error: the value of option '${option.flags}' is empty`);
        }
        if (given.has(option.flags) && !repeatable.includes(option.long ?? '')) {
          command.error(`error: option '${option.flags}' may be given only once`);
        }
        given.add(option.flags);
      });
    }
  }
  program.hook('preAction', (_, command) => {
    const empty = command.args.indexOf('');
    if (empty >= 0) {
      command.error(`error: argument '${command.registeredArguments[empty]?.name() ?? empty + 1}' is empty`);
    }
  });
}

/** A program, its commands and their commands. */
export function withCommands(program: Command): readonly Command[] {
  return [program, ...program.commands.flatMap(withCommands)];
}
