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

/**
 * Adds the option that was probably meant to commander's message about an unknown one. Commander itself compares by
 * distance alone, which does not find `--organisation` for `--org`, and it never suggests hidden options.
 */
export function withSuggestedOption(message: string, command: Command): string {
  const known = ['--help', ...command.options.map(({ long }) => long ?? '')];
  // Commander looks for required options first, and would say that --organisation is missing where --org was typed.
  const unknown = /^error: (unknown|required) option /.test(message)
    ? command.args.find((word) => /^--[^-]/.test(word) && !known.includes(word))
    : undefined;
  if (unknown === undefined) {
    return message;
  }
  const found = similarOptions(unknown.replace(/=.*$/s, ''), known);
  const first = `error: unknown option '${unknown}'`;
  if (found.length === 0) {
    return `${first}\n`;
  }
  return `${first}\n(Did you mean ${found.length === 1 ? '' : 'one of '}${found.join(', ')}?)\n`;
}

/** Options that begin with the flag, else those that differ in few characters, nearest first. */
function similarOptions(flag: string, known: readonly string[]): readonly string[] {
  const longer = known.filter((option) => flag.length > 2 && option.startsWith(flag));
  if (longer.length > 0) {
    return longer;
  }
  const distances = known.map((option) => ({ option, distance: editDistance(flag, option) }));
  const least = Math.min(...distances.map(({ distance }) => distance));
  // As in commander: at most three, and fewer for a short flag. The two hyphens do not count.
  const most = Math.min(3, 0.5 * (flag.length - 2));
  return least <= most
    ? distances.filter(({ distance }) => distance === least).map(({ option }) => option)
    : [];
}

/** How many characters must be added, removed, replaced or swapped with their neighbour (optimal string alignment). */
function editDistance(from: string, to: string): number {
  // Far from each other in any case: the table would be large for nothing.
  if (Math.abs(from.length - to.length) > 3) {
    return Number.POSITIVE_INFINITY;
  }
  const table: number[][] = [];
  const at = (row: number, column: number) => table[row]?.[column] ?? Number.POSITIVE_INFINITY;
  for (let row = 0; row <= from.length; row += 1) {
    table.push([row]);
    for (let column = 1; column <= to.length; column += 1) {
      const same = from[row - 1] === to[column - 1] && row > 0;
      const swapped =
        row > 1 && column > 1 && from[row - 1] === to[column - 2] && from[row - 2] === to[column - 1];
      const replaced = at(row - 1, column - 1) + (same ? 0 : 1);
      const moved = swapped ? at(row - 2, column - 2) + 1 : Number.POSITIVE_INFINITY;
      table[row]?.push(Math.min(at(row - 1, column) + 1, at(row, column - 1) + 1, replaced, moved));
    }
  }
  return at(from.length, to.length);
}
