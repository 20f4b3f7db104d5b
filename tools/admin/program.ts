import { Command } from 'commander';
import { explainAwsError } from '../operator/deployment/aws-errors.ts';
import { addExamples } from '../terminal/help.ts';
import { runProgram } from '../terminal/run-program.ts';
import { clientCommands } from './commands/client.ts';
import { clientSecretCommands } from './commands/client-secret.ts';
import { consoleCommand } from './commands/console.ts';
import { doctorCommand } from './commands/doctor.ts';
import { fileCommands } from './commands/file.ts';
import { organisationCommands } from './commands/organisation.ts';
import { restoreCommand } from './commands/restore.ts';
import { searchCommand } from './commands/search.ts';
import { type AdminContext, addCommandFlags, addProgramFlags, type MakeCommand } from './commands/session.ts';
import { signingKeyCommands } from './commands/signing-key.ts';
import { tokenCommand } from './commands/token.ts';
import { uploadCommands } from './commands/upload.ts';

interface Noun {
  readonly name: string;
  readonly summary: string;
  readonly commands: readonly MakeCommand[];
}

const nouns: readonly Noun[] = [
  {
    name: 'client',
    summary: 'manage client applications and their secrets',
    commands: [...clientCommands, ...clientSecretCommands],
  },
  {
    name: 'file',
    summary: 'manage the files that clients sync into',
    commands: fileCommands,
  },
  {
    name: 'organisation',
    summary: 'list, show and delete organisations',
    commands: organisationCommands,
  },
  {
    name: 'upload',
    summary: 'show, cancel and replay uploads',
    commands: uploadCommands,
  },
  {
    name: 'signing-key',
    summary: 'manage the keys that sign access tokens',
    commands: signingKeyCommands,
  },
];

const examples = [
  '--local client create --organisation acme --name "Nightly export" --scope volume:read',
  '--stack file-sync-prod file enable-sync orders',
  '--local upload show UPLOAD_ID --watch --json',
];

const exitCodeText = `
Exit codes:
  0    done
  1    failed: the reason is on standard error
  2    invalid arguments: nothing was attempted
  130  stopped by Ctrl-C`;

/**
 * Runs one admin command.
 *
 * @param parameters everything after the name of the script
 * @returns the exit code
 */
export function runAdmin(parameters: readonly string[], context: AdminContext): Promise<number> {
  return runProgram(createAdminProgram(context), {
    ...context,
    parameters,
    explain: (error) => explainAwsError(error, context.env),
  });
}

/** Makes the admin program with all its commands. */
export function createAdminProgram(context: AdminContext): Command {
  const program = addExamples(addProgramFlags(new Command(context.words)), ...examples)
    .description('Manage a deployment of the file sync API.')
    .version(context.version, '--version', 'print the version')
    .addHelpText('after', exitCodeText)
    .enablePositionalOptions();
  for (const make of [searchCommand, consoleCommand, doctorCommand, tokenCommand, restoreCommand]) {
    program.addCommand(addCommandFlags(make(context)));
  }
  for (const { name, summary, commands } of nouns) {
    const noun = program
      .command(name)
      .summary(summary)
      .description(`${summary.charAt(0).toUpperCase()}${summary.slice(1)}.`)
      .enablePositionalOptions();
    for (const make of commands) {
      noun.addCommand(addCommandFlags(make(context)));
    }
  }
  return program;
}
