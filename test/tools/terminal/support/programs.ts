import { PassThrough } from 'node:stream';
import type { Command } from 'commander';
import type { AdminContext } from '../../../../tools/admin/commands/session.ts';
import { createAdminProgram } from '../../../../tools/admin/program.ts';
import { createProgram } from '../../../../tools/local/start/options.ts';
import { runProgram } from '../../../../tools/terminal/run-program.ts';
import { createUploadProgram } from '../../../../tools/upload/program.ts';
import { TextCollector } from '../../../support/text-stream.ts';

async function unreachable(): Promise<never> {
  throw new Error('This must not be called.');
}

export function makePrograms(stdout = new TextCollector()) {
  const shared = { stdout, env: {}, version: '1.2.3' };
  const stderr: AdminContext['stderr'] = Object.assign(new PassThrough(), { isTTY: false, columns: 80 });
  return {
    admin: createAdminProgram({
      ...shared,
      words: 'npx file-sync-admin',
      stdin: new PassThrough(),
      stderr,
      sleep: unreachable,
      openLocal: unreachable,
      openStack: unreachable,
      runConsole: unreachable,
    }),
    upload: createUploadProgram({
      ...shared,
      words: 'npm run -s upload --',
      stdin: noInput(),
      stderr,
      interrupted: new Promise(() => undefined),
    }),
    local: createProgram(unreachable),
  };
}

async function* noInput(): AsyncGenerator<Buffer> {}

export type ProgramName = keyof ReturnType<typeof makePrograms>;

/** Runs a program in this process, without a terminal. */
export async function runHere(
  program: Command,
  parameters: readonly string[] = [],
  env: NodeJS.ProcessEnv = {},
  stdout = new TextCollector(),
) {
  const stderr = new TextCollector();
  const code = await runProgram(program, { parameters, stdout, stderr, env });
  return { code, stdout: stdout.text, stderr: stderr.text };
}

/** Runs a command of a program that must not open a deployment or a console. */
export function runNothing(name: ProgramName, parameters: readonly string[], columns = 80) {
  const stdout = new TextCollector({ columns });
  return runHere(makePrograms(stdout)[name], parameters, {}, stdout);
}

/** Command of a program, with the names that lead to it. */
export interface FoundCommand {
  readonly program: ProgramName;
  readonly path: readonly string[];
  readonly command: Command;
}

/** Lists all commands of all programs, including the programs themselves. */
export function allCommands(): readonly FoundCommand[] {
  return Object.entries(makePrograms()).flatMap(([program, root]) =>
    withCommands(root).map((command) => ({
      program: program as ProgramName,
      path: pathOf(command),
      command,
    })),
  );
}

function withCommands(program: Command): readonly Command[] {
  return [program, ...program.commands.flatMap(withCommands)];
}

function pathOf(command: Command): readonly string[] {
  return command.parent === null ? [] : [...pathOf(command.parent), command.name()];
}
