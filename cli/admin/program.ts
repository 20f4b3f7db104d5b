import { Command } from 'commander';
import { clientAddSecretCommand } from './commands/client-add-secret.ts';
import { clientCreateCommand } from './commands/client-create.ts';
import { clientListCommand } from './commands/client-list.ts';
import { clientRemoveSecretCommand } from './commands/client-remove-secret.ts';
import { clientRestoreCommand } from './commands/client-restore.ts';
import { clientRevokeCommand } from './commands/client-revoke.ts';
import { clientRotateSecretCommand } from './commands/client-rotate-secret.ts';
import { clientSetScopesCommand } from './commands/client-set-scopes.ts';
import { clientShowCommand } from './commands/client-show.ts';
import { fileCreateCommand } from './commands/file-create.ts';
import { fileDisableSyncCommand } from './commands/file-disable-sync.ts';
import { fileDownloadCommand } from './commands/file-download.ts';
import { fileEnableSyncCommand } from './commands/file-enable-sync.ts';
import { fileListCommand } from './commands/file-list.ts';
import { fileShowCommand } from './commands/file-show.ts';
import { signingKeyListCommand } from './commands/signing-key-list.ts';
import { signingKeyRevokeCommand } from './commands/signing-key-revoke.ts';
import { signingKeyRotateCommand } from './commands/signing-key-rotate.ts';
import { uploadCancelCommand } from './commands/upload-cancel.ts';
import { uploadListCommand } from './commands/upload-list.ts';
import { uploadReplayCommand } from './commands/upload-replay.ts';
import { uploadShowCommand } from './commands/upload-show.ts';
import { type AdminContext, addFlagsBehind, addTargetFlags } from './session.ts';

type MakeCommand = (context: AdminContext) => Command;

const nouns: readonly { name: string; summary: string; commands: readonly MakeCommand[] }[] = [
  {
    name: 'client',
    summary: 'client applications and their secrets',
    commands: [
      clientCreateCommand,
      clientListCommand,
      clientShowCommand,
      clientRevokeCommand,
      clientRestoreCommand,
      clientSetScopesCommand,
      clientAddSecretCommand,
      clientRemoveSecretCommand,
      clientRotateSecretCommand,
    ],
  },
  {
    name: 'file',
    summary: 'files that clients sync into',
    commands: [
      fileCreateCommand,
      fileListCommand,
      fileShowCommand,
      fileEnableSyncCommand,
      fileDisableSyncCommand,
      fileDownloadCommand,
    ],
  },
  {
    name: 'upload',
    summary: 'upload URLs and what became of them',
    commands: [uploadListCommand, uploadShowCommand, uploadCancelCommand, uploadReplayCommand],
  },
  {
    name: 'signing-key',
    summary: 'keys that sign access tokens',
    commands: [signingKeyListCommand, signingKeyRotateCommand, signingKeyRevokeCommand],
  },
];

const helpText = `
Examples:
  admin --local client create --organisation acme --name "Nightly export" --scope volume:read
  admin --stack file-sync-prod file enable-sync orders
  admin --local upload show UPLOAD_ID --watch --json

Exit codes:
  0  done
  1  failed: what and why is on standard error
  2  usage: the command line cannot be meant as it stands`;

/** The operators' command line. */
export function createAdminProgram(context: AdminContext): Command {
  const program = addTargetFlags(new Command('admin'))
    .description('Provision and operate a deployment of the file sync API.')
    .addHelpText('after', helpText)
    // `upload list --state` is not the `--state` of the tool: what stands behind a command belongs to it.
    .enablePositionalOptions();
  for (const { name, summary, commands } of nouns) {
    const noun = program.command(name).description(summary).enablePositionalOptions();
    for (const make of commands) {
      const command = make(context);
      const ownState = command.options.some(({ long }) => long === '--state');
      noun.addCommand(addFlagsBehind(command, { ownState }));
    }
  }
  return program;
}
