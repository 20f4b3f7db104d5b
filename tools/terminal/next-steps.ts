import { type NextStep, OperationError } from '../operator/errors.ts';
import { CommandError, exitCodeOf } from './errors.ts';
import { typedLine } from './help.ts';

type Typed = (...parameters: readonly string[]) => string;

/**
 * Adds the commands that help next to the message of an error.
 *
 * @param typed an admin command on the same deployment, as the reader would type it
 */
export function withNextCommands(error: unknown, typed: Typed): unknown {
  return error instanceof OperationError && error.next.length > 0
    ? new CommandError(`${error.message}${nextLines(error.next, typed)}`, exitCodeOf(error))
    : error;
}

/** The commands that do what helps next, as the reader would type them, one on each line. */
export function nextLines(steps: readonly NextStep[], typed: Typed): string {
  const lines = steps.map((step) =>
    step.do === 'start local run'
      ? typedLine('npm start', step.stateDirectory === '.local' ? [] : ['--', '--state', step.stateDirectory])
      : typed(...parametersOf(step)),
  );
  return lines.map((line) => `\n  ${line}`).join('');
}

function parametersOf(step: Exclude<NextStep, { readonly do: 'start local run' }>): readonly string[] {
  switch (step.do) {
    case 'show client':
      return ['client', 'show', step.clientId];
    case 'add secret':
      return ['client', 'add-secret', step.clientId];
    case 'remove secret':
      return ['client', 'remove-secret', step.clientId, '--secret-id', step.secretId];
    case 'revoke client':
      return ['client', 'revoke', step.clientId];
    case 'restore client':
      return ['client', 'restore', step.clientId];
    case 'show upload':
      return ['upload', 'show', step.uploadId];
    case 'search':
      return ['search', step.text];
    case 'replay uploads':
      return ['upload', 'replay'];
    case 'reconcile uploads':
      return ['upload', 'reconcile'];
    case 'list signing keys':
      return ['signing-key', 'list'];
    case 'rotate signing key':
      return ['signing-key', 'rotate'];
    case 'check deployment':
      return ['doctor'];
  }
}
