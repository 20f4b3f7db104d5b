import { once } from 'node:events';
import { join } from 'node:path';
import { fullDiskReason, StartProblem } from 'cloud-assembly-emulator';
import { messageOf, OperationError } from '../operator/errors.ts';
import { CommandError, exitCodes } from '../terminal/errors.ts';
import type { TextStream } from '../terminal/output.ts';
import { runProgram } from '../terminal/run-program.ts';
import { runDemo } from './demo/demo.ts';
import { localDeployment } from './local-deployment.ts';
import { startLocalRun } from './run.ts';
import { createProgram, type LocalRunOptions } from './start/options.ts';
import { createTerminal, type Terminal } from './start/terminal.ts';

interface LocalProcess {
  readonly stdout: TextStream;
  readonly stderr: TextStream;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Aborted when the local run is asked to end. */
  readonly signal: AbortSignal;
}

/**
 * Runs the local run from its command line to its end.
 *
 * @returns exit code: 0 if it was ready and asked to end, 1 if it could not start, 2 for invalid arguments, 130 if it was
 * asked to end before it was ready
 */
export function runLocal(parameters: readonly string[], process: LocalProcess): Promise<number> {
  const program = createProgram((options) => serveUntilAborted(options, process));
  return runProgram(program, {
    parameters,
    ...process,
    explain: (error) => explain(error, process.signal),
  });
}

async function serveUntilAborted(options: LocalRunOptions, process: LocalProcess): Promise<void> {
  const { stdout, stderr, signal } = process;
  const terminal = createTerminal(stdout, stderr);
  const run = await startLocalRun(options, terminal, signal).catch((error: unknown) => {
    throw signal.aborted ? stoppedEarly() : error;
  });
  try {
    // The demonstration comes first, so the ready line is printed last.
    if (options.demo) {
      await showDemo(options.state, { terminal, process });
    }
    if (signal.aborted) {
      throw stoppedEarly();
    }
    if (run.console !== undefined) {
      terminal.say(`console ${run.console.newLink()}`);
    }
    // Scripts wait for the line that begins with `ready`.
    const logs = join(options.state, 'logs');
    terminal.say(`ready ${run.baseUrl}\nPress Ctrl-C to stop. The logs are in ${logs}`);
    // The listening server keeps the process alive during the wait.
    await once(signal, 'abort');
  } finally {
    await run.close();
  }
}

function stoppedEarly(): CommandError {
  return new CommandError('Stopped before it was ready.', exitCodes.interrupted);
}

/**
 * Runs the demonstration, and reports a failure. The local run continues, so the user can find the reason.
 */
async function showDemo(
  stateDirectory: string,
  { terminal, process }: { terminal: Terminal; process: LocalProcess },
): Promise<void> {
  const { stdout: output, signal, env } = process;
  try {
    const deployment = await localDeployment(stateDirectory);
    const colour = output.isTTY === true && !env.NO_COLOR;
    await runDemo({ deployment, stateDirectory, output, colour, signal });
  } catch (error) {
    if (!signal.aborted) {
      const reason = messageOf(error);
      const logs = join(stateDirectory, 'logs');
      terminal.warn(
        `The demonstration failed: ${reason}\nThe API serves all the same. The logs are in ${logs}`,
      );
    }
  }
}

function explain(error: unknown, signal: AbortSignal): unknown {
  if (signal.aborted || !(error instanceof Error)) {
    return error;
  }
  const full = fullDiskReason(error);
  if (full !== undefined) {
    return withStack(
      `The local run could not start: ${full}. What was stored is intact. ` +
        'Free some space and start again, or choose a folder on another disk with --state.',
      error,
    );
  }
  // Commander has already shown its own errors.
  if ('exitCode' in error || error instanceof OperationError || error instanceof StartProblem) {
    return error;
  }
  return withStack(
    `The local run could not start: ${error.message}\n` +
      'Look into the folder logs of the state folder, start with another folder with --state, or set DEBUG=1 to see where it failed.',
    error,
  );
}

/** Returns an error with the stack of its cause. The stack is shown if DEBUG is set. */
function withStack(message: string, { stack }: Error): Error {
  return Object.assign(new Error(message), { stack });
}
