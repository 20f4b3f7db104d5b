import { type Command, Option } from 'commander';
import type { Terminal } from '../confirm.ts';
import { UsageError } from '../errors.ts';
import { createOutput, type Output, type TextStream } from '../output.ts';
import type { Deployment } from './deployment.ts';

/** What the admin command gets from its surroundings. */
export interface AdminContext {
  readonly stdin: Terminal['stdin'];
  readonly stdout: TextStream;
  readonly stderr: TextStream & Terminal['stderr'];
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly openLocal: (stateDirectory: string) => Promise<Deployment>;
  readonly openStack: (name: string) => Promise<Deployment>;
}

/** What one run of one command has at hand. */
export interface Session {
  readonly output: Output;
  readonly context: AdminContext;
  /** Finds the deployment that the flags name. Call it when the rest of the command line has been checked. */
  readonly open: () => Promise<Deployment>;
}

export const defaultStateDirectory = '.local';

/** Flags that say which deployment is meant. They stand before the command, or behind it. */
interface TargetFlags {
  readonly local?: boolean;
  readonly stack?: string;
  readonly state?: string;
  readonly json?: boolean;
}

/** Gives the whole tool its flags. */
export function addTargetFlags(program: Command): Command {
  return program
    .option('--local', 'act on the local run')
    .option('--state <dir>', `state folder of the local run (default: "${defaultStateDirectory}")`)
    .option('--stack <name>', 'act on a deployed stack (env: FILE_SYNC_STACK)')
    .option('--json', 'print one JSON object');
}

/** Gives a command the flags of the tool again, so that they may stand behind it as well. */
export function addFlagsBehind(command: Command, { ownState = false } = {}): Command {
  command
    .option('--json', 'print one JSON object')
    .addOption(new Option('--local').hideHelp())
    .addOption(new Option('--stack <name>').hideHelp());
  // `upload list --state` names the state of uploads.
  return ownState ? command : command.addOption(new Option('--state <dir>').hideHelp());
}

/** Makes commander call a command with its session first, then its arguments and options. */
export function act<Parameters extends readonly unknown[]>(
  context: AdminContext,
  run: (session: Session, ...parameters: Parameters) => Promise<void>,
): (this: Command, ...parameters: Parameters) => Promise<void> {
  return async function (...parameters) {
    await run(createSession(context, this), ...parameters);
  };
}

function createSession(context: AdminContext, command: Command): Session {
  const before = rootOf(command).opts<TargetFlags>();
  const behind = command.opts<TargetFlags>();
  const ownState = command.options.some(({ long, hidden }) => long === '--state' && !hidden);
  const flags = { ...before, ...behind, ...(ownState && { state: before.state }) };
  return {
    context,
    output: createOutput({ ...context, json: flags.json === true }),
    open: () => openDeployment(context, flags),
  };
}

function rootOf(command: Command): Command {
  return command.parent === null ? command : rootOf(command.parent);
}

async function openDeployment(
  { env, openLocal, openStack }: AdminContext,
  { local, stack, state }: { [Name in keyof TargetFlags]?: TargetFlags[Name] | undefined },
): Promise<Deployment> {
  if (local && stack !== undefined)
    throw new UsageError('Name one deployment: --local or --stack NAME, not both.');
  if (state !== undefined && !local) throw new UsageError('--state says where a local run is: add --local.');
  if (local) return openLocal(state ?? defaultStateDirectory);
  const name = stack ?? env.FILE_SYNC_STACK;
  if (!name)
    throw new UsageError('Say which deployment is meant: --local, or --stack NAME (or set FILE_SYNC_STACK).');
  return openStack(name);
}
