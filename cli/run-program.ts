import { type Command, CommanderError } from 'commander';
import { CommandError, failedExitCode, messageOf, usageExitCode } from './errors.ts';
import type { TextStream } from './output.ts';

export interface RunOptions {
  /** Everything behind the name of the script. */
  readonly parameters: readonly string[];
  readonly stdout: TextStream;
  readonly stderr: TextStream;
  /** Turns a failure that the tool knows into a {@link CommandError}. */
  readonly explain?: (error: unknown) => unknown;
  /** With `DEBUG` set, an unexpected failure shows its stack. */
  readonly env: Readonly<Record<string, string | undefined>>;
}

/**
 * Parses the parameters and runs the command that they name.
 *
 * @returns the exit code; why a command failed has been written to stderr
 */
export async function runProgram(program: Command, options: RunOptions): Promise<number> {
  prepare(program, options);
  try {
    await program.parseAsync([...options.parameters], { from: 'user' });
    return 0;
  } catch (error) {
    return report((options.explain ?? ((same) => same))(error), options);
  }
}

/** Commander ends the process and writes to it by default, for each command by itself. */
function prepare(command: Command, { stdout, stderr }: RunOptions): void {
  command
    .exitOverride()
    .showHelpAfterError('Add --help to see what is possible.')
    .configureOutput({
      writeOut: (text) => void stdout.write(text),
      writeErr: (text) => void stderr.write(fitToShow(text)),
      getOutHelpWidth: () => helpWidth(stdout),
      getErrHelpWidth: () => helpWidth(stderr),
      getOutHasColors: () => false,
      getErrHasColors: () => false,
    });
  for (const child of command.commands) prepare(child, { stdout, stderr, parameters: [], env: {} });
}

function helpWidth({ columns }: TextStream): number {
  return columns || 100;
}

/** Where a client id belongs, people put the secret. Its prefix stays, so that they see what they did. */
const clientSecret = /(fss_)[A-Za-z0-9_-]{43}[0-9A-Za-z]{6}/g;

/**
 * Commander and our own messages repeat what was typed or set, which may come from elsewhere, and which may be a
 * secret in the wrong place.
 */
function fitToShow(text: string): string {
  const shown = text.replace(clientSecret, '$1(a client secret, not shown)');
  return shown.replace(/[^\P{Cc}\n\t]|[\u2028\u2029\u202a-\u202e\u2066-\u2069]/gu, '\u{fffd}');
}

function report(error: unknown, { stderr, env }: RunOptions): number {
  if (error instanceof CommanderError) {
    // It has written its own text. Help and version were asked for; everything else is a usage error.
    return error.exitCode === 0 ? 0 : usageExitCode;
  }
  const code = error instanceof CommandError ? error.exitCode : failedExitCode;
  const stack = env.DEBUG && error instanceof Error ? `${error.stack}\n` : '';
  stderr.write(`error: ${fitToShow(messageOf(error))}\n${fitToShow(stack)}`);
  return code;
}
