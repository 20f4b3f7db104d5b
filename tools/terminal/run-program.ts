import { type Command, CommanderError } from 'commander';
import { messageOf } from '../operator/errors.ts';
import { hideSecrets, printable, shortened } from '../operator/text.ts';
import { exitCodeOf, exitCodes } from './errors.ts';
import { rootOf } from './help.ts';
import type { TextStream } from './output.ts';

export interface RunOptions {
  /** Arguments after the name of the script. */
  readonly parameters: readonly string[];
  readonly stdout: TextStream;
  readonly stderr: TextStream;
  /** Adds the next step to a known failure. Default: no change. */
  readonly explain?: (error: unknown) => unknown;
  /** If `DEBUG` is set, the stack of an error is shown. */
  readonly env: NodeJS.ProcessEnv;
}

/**
 * Parses the parameters and runs the command. The reason for a failure is written to stderr.
 *
 * @returns exit code
 */
export async function runProgram(program: Command, options: RunOptions): Promise<number> {
  const { parameters, explain = (error) => error } = options;
  prepare(program, options);
  program.hook('preAction', (_, command) => rejectEmpty(command));
  try {
    await program.parseAsync([...parameters], { from: 'user' });
    return 0;
  } catch (error) {
    return report(explain(error), options);
  }
}

/**
 * Rejects empty values, which usually come from an unset variable. Options with a parser have already
 * rejected them.
 */
function rejectEmpty(command: Command): void {
  for (const option of [...command.options, ...rootOf(command).options]) {
    if (command.optsWithGlobals()[option.attributeName()] === '') {
      command.error(`error: the value of option '${option.flags}' is empty`);
    }
  }
  const empty = command.args.indexOf('');
  if (empty >= 0) {
    command.error(`error: argument '${command.registeredArguments[empty]?.name() ?? empty + 1}' is empty`);
  }
}

/**
 * Configures a command and its subcommands. By default, commander writes to the process and ends it.
 * Subcommands do not inherit these settings.
 */
function prepare(command: Command, options: RunOptions): void {
  const { stdout, stderr } = options;
  command
    .exitOverride()
    .configureHelp({ showGlobalOptions: true })
    .showHelpAfterError('Add --help to see the commands and options.')
    .configureOutput({
      writeOut: (text) => void stdout.write(text),
      // Commander repeats typed values of any length.
      writeErr: (text) => void stderr.write(safeToShow(text.replace(/\S{200,}/g, shortened))),
    });
  for (const child of command.commands) {
    prepare(child, options);
  }
}

/**
 * Returns a message that is safe to show. A message may repeat untrusted text, or a client secret typed in
 * the wrong place.
 */
function safeToShow(text: string): string {
  return hideSecrets(text).replace(/[^\n\t]+/g, printable);
}

function report(error: unknown, { stderr, env }: RunOptions): number {
  if (error instanceof CommanderError) {
    // Commander has already written the message. Exit code 0 is for help and version. Every other code is a
    // usage error.
    return error.exitCode === 0 ? 0 : exitCodes.usage;
  }
  const code = exitCodeOf(error);
  if (code === exitCodes.interrupted) {
    // The line with the typed Ctrl-C is without a line break.
    stderr.write(safeToShow(`\n${messageOf(error)}`.trimEnd()).concat('\n'));
    return code;
  }
  const stack = env.DEBUG && error instanceof Error ? `${error.stack}\n` : '';
  stderr.write(`error: ${safeToShow(messageOf(error))}\n${safeToShow(stack)}`);
  return code;
}
