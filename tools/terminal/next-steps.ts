import type { NextStep } from '../operator/description/next-step.ts';
import { OperationError } from '../operator/errors.ts';
import { CommandError, exitCodeOf } from './errors.ts';
import { typedLine } from './help.ts';

/** Returns another admin command on the same deployment, as a line that the reader can type. */
export type TypedCommand = (...parameters: readonly string[]) => string;

/** Adds the suggested commands to the message of an error. */
export function withNextCommands(error: unknown, typed: TypedCommand): unknown {
  return error instanceof OperationError && error.next.length > 0
    ? new CommandError(`${error.message}${nextLines(error.next, typed)}`, exitCodeOf(error))
    : error;
}

/** Returns the suggested commands, one on each line, as the reader can type them. */
export function nextLines(steps: readonly NextStep[], typed: TypedCommand): string {
  return steps.map((step) => `\n  ${lineOf(step, typed)}`).join('');
}

function lineOf(step: NextStep, typed: TypedCommand): string {
  if ('noun' in step) {
    const { noun, verb, id, answers = {} } = step;
    const options = Object.entries(answers).flatMap(([name, value]) =>
      value === 'true' ? [optionOf(name)] : [optionOf(name), value],
    );
    return typed(noun, verb, ...(id === undefined ? [] : [id]), ...options);
  }
  switch (step.do) {
    case 'check deployment':
      return typed('doctor');
    case 'search':
      return typed('search', step.text);
    case 'start local run':
      return typedLine(
        'npm start',
        step.stateDirectory === '.local' ? [] : ['--', '--state', step.stateDirectory],
      );
  }
}

/** Returns the option of a question, from its name: `--secret-id`. */
export function optionOf(name: string): string {
  return `--${name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;
}
