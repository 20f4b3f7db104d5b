import type { Command } from 'commander';
import { describeSkew } from '../../operator/deployment/aws-clock.ts';
import type { Deployment } from '../../operator/deployment/deployment.ts';
import { throwDamage } from '../../operator/deployment/items.ts';
import type { ResultView } from '../../operator/description/action.ts';
import type { NextStep } from '../../operator/description/next-step.ts';
import { NotFound } from '../../operator/errors.ts';
import type { ConsoleRequest } from '../../terminal/console-request.ts';
import { UsageError } from '../../terminal/errors.ts';
import { rootOf, typedLine } from '../../terminal/help.ts';
import { showResult } from '../../terminal/list-output.ts';
import { nextLines, type TypedCommand, withNextCommands } from '../../terminal/next-steps.ts';
import { type ByteStream, note, type Output, type TextStream } from '../../terminal/output.ts';
import { createProgress, type Progress } from '../../terminal/progress.ts';
import type { Terminal } from '../../terminal/question.ts';

/** The dependencies of the admin program. */
export interface AdminContext {
  readonly stdin: Terminal['stdin'];
  readonly stdout: TextStream & ByteStream;
  readonly stderr: TextStream & Terminal['stderr'];
  readonly env: NodeJS.ProcessEnv;
  /** Command with which the reader started this program. */
  readonly words: string;
  /** Version of the package. */
  readonly version: string;
  readonly sleep: (milliseconds: number) => Promise<unknown>;
  readonly openLocal: (stateDirectory: string) => Promise<Deployment>;
  readonly openStack: (name: string) => Promise<Deployment>;
  /** Serves the console until it is asked to end. */
  readonly runConsole: (request: ConsoleRequest) => Promise<void>;
}

/** Creates one command of the admin program. */
export type CommandFactory = (context: AdminContext) => Command;

/** Context of one run of a command. */
export interface Session {
  readonly context: AdminContext;
  readonly output: Output;
  /** Opens the deployment that the flags select. Call this after all other arguments were checked. */
  readonly open: () => Promise<Deployment>;
  readonly typed: TypedCommand;
  /** Line that shows the progress. It is removed before a note or the result. */
  readonly progress: Progress<string>;
  /** Prints a note and the suggested commands. */
  readonly note: (sentence: string, next?: readonly NextStep[]) => void;
  /** Prints the result. */
  readonly show: (view: ResultView) => Promise<void>;
}

/** Returns a callback that reports the number of items read so far. */
export function reportRead({ update }: Session['progress']): (items: number) => void {
  return (items) => update(`Reading: ${items} items so far`);
}

const defaultStateDirectory = '.local';

/**
 * Flags that select the deployment and the format of the result. They may come before or after the command.
 */
interface SharedFlags {
  readonly local?: true;
  readonly stack?: string;
  readonly state?: string;
  readonly json?: true;
}

/** Adds the shared flags to the program. Commander accepts them before and after a command. */
export function addProgramFlags(program: Command): Command {
  return program
    .option('--local', 'use the local run')
    .option('--state <dir>', `use this state folder of the local run (default: "${defaultStateDirectory}")`)
    .option('--stack <name>', 'use this deployed stack (env: FILE_SYNC_STACK)')
    .option('--json', 'print the result as one JSON object');
}

/**
 * Wraps the action of a command. The action gets the session, then the arguments and options of commander.
 * The command fails at its end if it left out damaged items.
 */
export function act<Parameters extends readonly unknown[]>(
  context: AdminContext,
  run: (session: Session, ...parameters: Parameters) => Promise<void>,
): (this: Command, ...parameters: Parameters) => Promise<void> {
  return async function (...parameters) {
    const damage = new Set<string>();
    const session = createSession(context, this, damage);
    try {
      await run(session, ...parameters);
    } catch (error) {
      if (error instanceof NotFound) {
        // The missing entity may be a damaged item.
        throwDamage(damage);
      }
      throw withNextCommands(error, session.typed);
    } finally {
      session.progress.finish();
    }
    throwDamage(damage);
  };
}

function createSession(context: AdminContext, command: Command, damage: Set<string>): Session {
  const flags = rootOf(command).opts<SharedFlags>();
  const output = { ...context, json: flags.json === true };
  const progress = createProgress(output.stderr, (sentence: string) => sentence);
  const typed: TypedCommand = (...parameters) =>
    typedLine(context.words, [...deploymentParameters(flags), ...parameters]);
  return {
    context,
    output,
    open: async () => {
      const deployment = await openDeployment(context, flags);
      if (!flags.local) {
        note(output, `Stack ${deployment.stackName}`);
      }
      const skew = describeSkew(deployment);
      if (skew !== undefined) {
        note(output, skew);
      }
      return { ...deployment, damage };
    },
    typed,
    progress,
    note: (sentence, next = []) => {
      progress.finish();
      note(output, `${sentence}${nextLines(next, typed)}`);
    },
    show: (view) => {
      progress.finish();
      return showResult(output, view);
    },
  };
}

/** Returns the flags that select the deployment: none for a stack that the environment names. */
function deploymentParameters({ local, stack, state }: SharedFlags): readonly string[] {
  const flags = [local && ['--local'], state && ['--state', state], stack && ['--stack', stack]];
  return flags.flatMap((flag) => flag || []);
}

async function openDeployment(
  context: AdminContext,
  { local, stack, state }: SharedFlags,
): Promise<Deployment> {
  if (local && stack !== undefined) {
    throw new UsageError('Choose one deployment: --local or --stack NAME, not both.');
  }
  if (state !== undefined && !local) {
    throw new UsageError('--state is only for a local run: add --local.');
  }
  if (local) {
    return context.openLocal(state ?? defaultStateDirectory);
  }
  const name = stack ?? context.env.FILE_SYNC_STACK;
  if (!name) {
    throw new UsageError('No deployment was chosen: add --local or --stack NAME, or set FILE_SYNC_STACK.');
  }
  return context.openStack(name);
}
