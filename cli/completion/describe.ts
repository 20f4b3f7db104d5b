import type { Command, Option } from 'commander';
import { withCommands } from '../terminal/options.ts';

/** What can stand in one place: one of these words, a path, or text that cannot be completed. */
export type Value =
  | { readonly kind: 'words'; readonly words: readonly string[] }
  | { readonly kind: 'file' | 'folder' | 'text' };

/** A word that can be typed, with what it does. */
export interface Described {
  readonly word: string;
  readonly description: string;
}

export interface DescribedOption extends Described {
  /** Absent when the option takes no value. */
  readonly value?: Value;
}

/** What can be typed after one command. */
export interface DescribedCommand {
  /** The names that lead to the command, such as `client create`. Empty for the program itself. */
  readonly path: string;
  readonly commands: readonly Described[];
  readonly options: readonly DescribedOption[];
  /** Its first argument, when it takes one. */
  readonly argument?: Value;
}

/** Describes a program and all its commands for shell completion. */
export function describeProgram(program: Command): readonly DescribedCommand[] {
  return withCommands(program).map((command) => describeCommand(command));
}

function describeCommand(command: Command): DescribedCommand {
  const [argument] = command.registeredArguments;
  return {
    path: pathOf(command),
    commands: command.commands.map((child) => ({ word: child.name(), description: child.summary() })),
    options: [
      ...command.options.map((option) => describeOption(option, command)),
      { word: '--help', description: 'display help for command' },
    ],
    ...(argument !== undefined && { argument: valueIn(argument.argChoices, argument.name()) }),
  };
}

function describeOption(option: Option, command: Command): DescribedOption {
  const shown = option.description ? option : rootOption(option, command);
  return {
    word: option.long ?? option.flags,
    description: shown.description,
    ...((option.required || option.optional) && {
      value: valueIn(option.argChoices, /<(.*)>/.exec(option.flags)?.[1] ?? ''),
    }),
  };
}

/** Options of the program may stand after a command too, hidden and without a description. */
function rootOption(option: Option, command: Command): Option {
  const same = command.options.find(({ long, description }) => long === option.long && description !== '');
  return same ?? (command.parent === null ? option : rootOption(option, command.parent));
}

function valueIn(choices: readonly string[] | undefined, name: string): Value {
  if (choices !== undefined) {
    return { kind: 'words', words: choices };
  }
  if (name === 'path') {
    return { kind: 'file' };
  }
  return { kind: name === 'dir' ? 'folder' : 'text' };
}

function pathOf(command: Command): string {
  const names: string[] = [];
  for (let at = command; at.parent !== null; at = at.parent) {
    names.unshift(at.name());
  }
  return names.join(' ');
}

/** The options that take a value. The same option takes one after every command. */
export function optionsWithValue(commands: readonly DescribedCommand[]): readonly string[] {
  const all = commands.flatMap(({ options }) => options.filter(({ value }) => value !== undefined));
  return [...new Set(all.map(({ word }) => word))];
}
