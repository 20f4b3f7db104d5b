import { Command } from 'commander';
import { routes } from '../../contract/routes.ts';
import { describeClient } from '../operator/clients/details.ts';
import { clients } from '../operator/clients/fields.ts';
import { explainAwsError } from '../operator/deployment/aws-errors.ts';
import { describeFile } from '../operator/files/details.ts';
import { files } from '../operator/files/fields.ts';
import { operations } from '../operator/operations.ts';
import { organisations } from '../operator/organisations/fields.ts';
import { describeOrganisation } from '../operator/organisations/organisation.ts';
import { capitalised } from '../operator/text.ts';
import { addExamples } from '../terminal/help.ts';
import { runProgram } from '../terminal/run-program.ts';
import { actionCommand } from './commands/action.ts';
import { applyCommand } from './commands/apply.ts';
import { consoleCommand } from './commands/console.ts';
import { doctorCommand } from './commands/doctor.ts';
import { downloadCommand } from './commands/download.ts';
import { guideCommand } from './commands/guide.ts';
import { listCommand } from './commands/list.ts';
import { showRequestCommand } from './commands/request.ts';
import { restoreCommand } from './commands/restore.ts';
import { searchCommand } from './commands/search.ts';
import { type AdminContext, addProgramFlags, type CommandFactory } from './commands/session.ts';
import { showCommand, showUploadCommand } from './commands/show.ts';

/** Commands of a noun besides its lists and actions. */
const otherCommands: Partial<Readonly<Record<string, readonly CommandFactory[]>>> = {
  client: [
    showCommand(
      clients,
      'Show one client. Each secret is listed by its id, creation, end and last use, never by its value. The last use is read from the logs, for at most three seconds and 30 days.',
      describeClient,
    ),
    guideCommand,
  ],
  file: [
    showCommand(
      files,
      'Show one file and its current content. To see its uploads: upload list --file ID.',
      describeFile,
    ),
    downloadCommand,
  ],
  organisation: [
    showCommand(
      organisations,
      'Show one organisation: its clients, files, uploads, content and last upload URL. The count stops after two seconds, and is then a minimum.',
      async (deployment, id) => ({ of: await describeOrganisation(deployment, id), notes: [] }),
    ),
  ],
  upload: [showUploadCommand],
  request: [showRequestCommand],
};

const examples = [
  `--local client create --organisation acme --name "Nightly export" --scope ${routes.volumes.scope}`,
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
 * @param parameters arguments after the name of the script
 * @returns exit code
 */
export function runAdmin(parameters: readonly string[], context: AdminContext): Promise<number> {
  return runProgram(createAdminProgram(context), {
    ...context,
    parameters,
    explain: explainAwsError,
  });
}

/** Creates the admin program with all its commands. */
export function createAdminProgram(context: AdminContext): Command {
  const program = addExamples(addProgramFlags(new Command(context.words)), ...examples)
    .description('Manage a deployment of the file sync API.')
    .version(context.version, '--version', 'print the version')
    .addHelpText('after', exitCodeText);
  for (const create of [searchCommand, consoleCommand, doctorCommand, applyCommand, restoreCommand]) {
    program.addCommand(create(context));
  }
  for (const [name, { summary, lists, general, actions }] of Object.entries(operations)) {
    const noun = program
      .command(name)
      .summary(summary)
      .description(`${capitalised(summary)}.`);
    for (const create of [
      ...lists.map(listCommand),
      ...(otherCommands[name] ?? []),
      ...[...general, ...actions].map(actionCommand),
    ]) {
      noun.addCommand(create(context));
    }
  }
  return program;
}
