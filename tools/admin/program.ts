import { Command } from 'commander';
import { routes } from '../../contract/routes.ts';
import { clientActions, clientCreation } from '../operator/clients/actions.ts';
import { getClient } from '../operator/clients/client.ts';
import { clients } from '../operator/clients/fields.ts';
import { clientList } from '../operator/clients/list.ts';
import { explainAwsError } from '../operator/deployment/aws-errors.ts';
import type { Noun } from '../operator/description/noun.ts';
import { fileActions, fileCreation } from '../operator/files/actions.ts';
import { describeFile } from '../operator/files/details.ts';
import { files } from '../operator/files/fields.ts';
import { fileList } from '../operator/files/list.ts';
import { organisationActions } from '../operator/organisations/actions.ts';
import { organisations } from '../operator/organisations/fields.ts';
import { describeOrganisation, readOrganisations } from '../operator/organisations/organisation.ts';
import { rejections, usage } from '../operator/requests/count-lists.ts';
import { requestList } from '../operator/requests/request-list.ts';
import { allKeysActions, signingKeyActions } from '../operator/signing-keys/actions.ts';
import { signingKeys } from '../operator/signing-keys/fields.ts';
import { listSigningKeys } from '../operator/signing-keys/signing-key.ts';
import { capitalised } from '../operator/text.ts';
import { allUploadsActions, uploadActions } from '../operator/uploads/actions.ts';
import { uploadList } from '../operator/uploads/list.ts';
import { addExamples } from '../terminal/help.ts';
import { runProgram } from '../terminal/run-program.ts';
import { actionCommand } from './commands/action.ts';
import { consoleCommand } from './commands/console.ts';
import { doctorCommand } from './commands/doctor.ts';
import { downloadCommand } from './commands/download.ts';
import { listCommand } from './commands/list.ts';
import { listAllCommand } from './commands/list-all.ts';
import { guideCommand, referenceCommand } from './commands/page.ts';
import { showRequestCommand } from './commands/request.ts';
import { restoreCommand } from './commands/restore.ts';
import { searchCommand } from './commands/search.ts';
import { type AdminContext, addProgramFlags, type CommandFactory } from './commands/session.ts';
import { showCommand, showUploadCommand } from './commands/show.ts';
import { tokenCommand } from './commands/token.ts';

interface NounCommands {
  readonly summary: string;
  readonly commands: readonly CommandFactory[];
}

const nouns: Readonly<Record<Noun, NounCommands>> = {
  client: {
    summary: 'manage client applications and their secrets',
    commands: [
      listCommand(clientList),
      ...[rejections, usage].map(listCommand),
      showCommand(
        clients,
        'Show one client. Each secret is listed by its id, creation and end, never by its value.',
        async (deployment, id) => ({ of: await getClient(deployment, id), notes: [] }),
      ),
      guideCommand,
      ...[clientCreation, ...clientActions].map(actionCommand),
    ],
  },
  file: {
    summary: 'manage the files that clients sync into',
    commands: [
      listCommand(fileList),
      showCommand(
        files,
        'Show one file and its current content. To see its uploads: upload list --file ID.',
        describeFile,
      ),
      downloadCommand,
      ...[fileCreation, ...fileActions].map(actionCommand),
    ],
  },
  organisation: {
    summary: 'list, show, suspend, delete and undelete organisations',
    commands: [
      listAllCommand(
        organisations,
        'organisations',
        'List organisations with the numbers of their clients and files, newest first. Deleted organisations are left out.',
        async (deployment) =>
          (await readOrganisations(deployment, { limit: Number.POSITIVE_INFINITY })).entries,
      ),
      showCommand(
        organisations,
        'Show one organisation: its clients, files, uploads, content and last upload URL. The count stops after two seconds, and is then a minimum.',
        async (deployment, id) => ({ of: await describeOrganisation(deployment, id), notes: [] }),
      ),
      ...organisationActions.map(actionCommand),
    ],
  },
  upload: {
    summary: 'show uploads, cancel upload URLs and record lost uploads',
    commands: [
      listCommand(uploadList),
      showUploadCommand,
      ...[...uploadActions, ...allUploadsActions].map(actionCommand),
    ],
  },
  request: {
    summary: 'list requests, and explain one',
    commands: [listCommand(requestList), showRequestCommand],
  },
  'signing-key': {
    summary: 'manage the keys that sign access tokens',
    commands: [
      listAllCommand(
        signingKeys,
        'the published signing keys',
        'List the published signing keys: current, next and retired. Private keys are never shown.',
        listSigningKeys,
      ),
      ...[...allKeysActions, ...signingKeyActions].map(actionCommand),
    ],
  },
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
    explain: (error) => explainAwsError(error, context.env),
  });
}

/** Creates the admin program with all its commands. */
export function createAdminProgram(context: AdminContext): Command {
  const program = addExamples(addProgramFlags(new Command(context.words)), ...examples)
    .description('Manage a deployment of the file sync API.')
    .version(context.version, '--version', 'print the version')
    .addHelpText('after', exitCodeText);
  for (const create of [
    searchCommand,
    consoleCommand,
    referenceCommand,
    doctorCommand,
    tokenCommand,
    restoreCommand,
  ]) {
    program.addCommand(create(context));
  }
  for (const [name, { summary, commands }] of Object.entries(nouns)) {
    const noun = program
      .command(name)
      .summary(summary)
      .description(`${capitalised(summary)}.`);
    for (const create of commands) {
      noun.addCommand(create(context));
    }
  }
  return program;
}
