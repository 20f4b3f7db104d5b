import { Command } from 'commander';
import { deleteClient, planClientDeletion } from '../../operator/deletion/delete-client.ts';
import { deleteFile } from '../../operator/deletion/delete-file.ts';
import { deleteOrganisation } from '../../operator/deletion/delete-organisation.ts';
import type { NotDeleted } from '../../operator/deletion/delete-uploads.ts';
import {
  clientDeletionNote,
  describeClientDeletion,
  describeFileDeletion,
  describeOrganisationDeletion,
  describeRetention,
  requireAllDeleted,
  requireNoneMade,
} from '../../operator/deletion/describe.ts';
import { countUploads } from '../../operator/deletion/plan.ts';
import { planOrganisationDeletion } from '../../operator/deletion/plan-organisation.ts';
import type { DeletionOptions } from '../../operator/deletion/retention.ts';
import type { Deployment } from '../../operator/deployment/deployment.ts';
import { getFile } from '../../operator/files.ts';
import { parseNewIdentifier } from '../../operator/parse-input.ts';
import { counted, formatSeconds, printable, quoted } from '../../operator/text.ts';
import { confirm } from '../../terminal/confirm.ts';
import { type CountProgress, createCountProgress } from '../../terminal/count-progress.ts';
import { addExamples } from '../../terminal/help.ts';
import { note, type Output, showOne } from '../../terminal/output.ts';
import { type AdminContext, act, type Session } from './session.ts';

interface Flags {
  readonly yes?: true;
  readonly dryRun?: true;
}

function addDeleteFlags(command: Command): Command {
  return command
    .option('--dry-run', 'show what would go, and change nothing')
    .option('--yes', 'skip the confirmation');
}

const repeatable = 'Repeat the command if it fails or is stopped: that is safe.';

/** `file delete` */
export function deleteFileCommand(context: AdminContext): Command {
  const command = new Command('delete')
    .summary('delete a file, its content and its uploads')
    .description(
      'Delete a file. Clients get 404 for it immediately, and its outstanding upload URLs are ended: they then answer ' +
        '412. Its content and the records of its uploads are kept for supersededRetentionDays and then removed. ' +
        `This cannot be undone. ${repeatable}`,
    )
    .argument('<file-id>');
  addExamples(command, '--local file delete orders --dry-run');
  return addDeleteFlags(command).action(act(context, runDeleteFile));
}

async function runDeleteFile(session: Session, fileId: string, flags: Flags): Promise<void> {
  const deployment = await session.open();
  const file = await getFile(deployment, fileId);
  if (file.delete_after !== undefined) {
    showAlready(session.output, `The file ${quoted(fileId)}`, file);
    return;
  }
  const totals = await withProgress(session.output, counting, ({ update }) =>
    countUploads(deployment, { fileId }, { now: Date.now(), progress: update }),
  );
  const shown = { file_id: fileId, organisation_id: file.organisation_id };
  const question = describeFileDeletion(file, totals);
  if (!(await agreed(session, deployment, flags, { ...shown, ...totals }, question))) {
    return;
  }
  const report = await withDeletion(session, totals.uploads, (options) =>
    deleteFile(deployment, fileId, options),
  );
  const { uploads, cancelled, failed } = report;
  const { deleted_at, delete_after } = report.file;
  show(session.output, { ...shown, deleted_at, delete_after, uploads, cancelled, failed: failed.length });
  requireAll(session.output, failed, ['file', 'delete', fileId]);
}

/** `client delete` */
export function deleteClientCommand(context: AdminContext): Command {
  const command = new Command('delete')
    .summary('delete a client and its secrets')
    .description(
      'Delete a client. It gets no token from now on, its secrets are removed immediately, and its outstanding upload ' +
        'URLs are ended. Tokens already issued work until they expire: repeat the command then, to end the URLs that ' +
        'were asked for with them. Files and their content stay. The record is kept for supersededRetentionDays and ' +
        `then removed. This cannot be undone. ${repeatable}`,
    )
    .argument('<client-id>');
  addExamples(command, '--local client delete CLIENT_ID');
  return addDeleteFlags(command).action(act(context, runDeleteClient));
}

async function runDeleteClient(session: Session, clientId: string, flags: Flags): Promise<void> {
  const deployment = await session.open();
  const plan = await planClientDeletion(deployment, clientId, Date.now());
  const { client, outstanding } = plan;
  const shown = { client_id: clientId, organisation_id: client.organisation_id };
  const totals = { secrets: client.secrets.length, outstanding };
  const question = describeClientDeletion(plan);
  if (!(await agreed(session, deployment, flags, { ...shown, ...totals }, question))) {
    return;
  }
  const report = await withDeletion(session, outstanding, (options) =>
    deleteClient(deployment, clientId, options),
  );
  const { cancelled, failed } = report;
  const { deleted_at, delete_after } = report.client;
  show(session.output, { ...shown, deleted_at, delete_after, cancelled, failed: failed.length });
  requireAll(session.output, failed, ['client', 'delete', clientId]);
  note(
    session.output,
    `${clientDeletionNote} Repeat the command then, to end URLs that were asked for with them.`,
  );
}

/** `organisation delete` */
export function deleteOrganisationCommand(context: AdminContext): Command {
  const command = new Command('delete')
    .summary('delete all clients and files of an organisation')
    .description(
      'Delete every client and every file of an organisation, as client delete and file delete do. Clients get no ' +
        `token, and 404 for every file, as soon as the deletion begins. This cannot be undone. ${repeatable}`,
    )
    .argument('<id>');
  addExamples(command, '--local organisation delete acme --dry-run');
  return addDeleteFlags(command).action(act(context, runDeleteOrganisation));
}

async function runDeleteOrganisation(session: Session, organisationId: string, flags: Flags): Promise<void> {
  parseNewIdentifier(organisationId, 'organisation');
  const deployment = await session.open();
  const plan = await withProgress(session.output, counting, ({ update }) =>
    planOrganisationDeletion(deployment, organisationId, { now: Date.now(), progress: update }),
  );
  if (plan === 'deleted') {
    showAlready(session.output, `Everything of organisation ${quoted(organisationId)}`, {
      organisation_id: organisationId,
    });
    return;
  }
  const { clients, files, totals } = plan;
  const shown = { organisation_id: organisationId };
  const question = describeOrganisationDeletion(plan);
  if (!(await agreed(session, deployment, flags, { ...shown, clients, files, ...totals }, question))) {
    return;
  }
  const { failed, made, ...done } = await withDeletion(session, totals.uploads, (options) =>
    deleteOrganisation(deployment, organisationId, options),
  );
  show(session.output, { ...shown, ...done, failed: failed.length });
  const again = ['organisation', 'delete', organisationId];
  requireAll(session.output, failed, again);
  requireNoneMade(made, again);
}

const counting = (done: number) => `Counting: ${counted(done, 'upload')} so far`;

/** Shows the plan of a dry run, or asks. @returns whether to go on */
async function agreed(
  { context, output }: Session,
  { outputs }: Deployment,
  flags: Flags,
  plan: object,
  question: string,
): Promise<boolean> {
  if (flags.dryRun) {
    show(output, { ...plan, dry_run: true });
    note(output, 'Nothing was changed.');
    return false;
  }
  await confirm(`${question} ${describeRetention(outputs)}`, flags.yes === true, context);
  return true;
}

async function withProgress<Result>(
  { stderr }: Output,
  text: (done: number) => string,
  run: (progress: CountProgress) => Promise<Result>,
): Promise<Result> {
  const progress = createCountProgress(stderr, text);
  try {
    return await run(progress);
  } finally {
    progress.finish();
  }
}

function withDeletion<Result>(
  { context, output }: Session,
  expected: number,
  run: (options: DeletionOptions) => Promise<Result>,
): Promise<Result> {
  const text = (done: number) => `Deleting: ${done} of ${counted(Math.max(done, expected), 'upload')}`;
  return withProgress(output, text, (progress) =>
    run({
      progress: progress.update,
      waiting: (milliseconds) => {
        progress.finish();
        const seconds = formatSeconds(milliseconds / 1000);
        note(output, `Waiting ${seconds} for sync requests that began before. Ctrl-C stops this.`);
      },
      sleep: context.sleep,
      now: Date.now,
    }),
  );
}

const labels: Readonly<Record<string, string>> = {
  file_id: 'File ID',
  client_id: 'Client ID',
  organisation_id: 'Organisation',
  clients: 'Clients',
  files: 'Files',
  secrets: 'Secrets',
  uploads: 'Uploads',
  outstanding: 'Open URLs',
  bytes: 'Bytes',
  cancelled: 'URLs ended',
  failed: 'Failed',
  deleted_at: 'Deleted',
  delete_after: 'Kept until',
};

function show(output: Output, result: object): void {
  showOne(output, result, (shown) =>
    Object.entries(shown).flatMap(([name, value]) =>
      labels[name] === undefined || value === undefined ? [] : [[labels[name], String(value)] as const],
    ),
  );
}

function showAlready(output: Output, what: string, record: object): void {
  show(output, { ...record, already_deleted: true });
  note(output, `${what} is already deleted. Nothing was changed.`);
}

const maximumNoted = 20;

/** @throws {CommandError} when something is left to delete */
function requireAll(output: Output, failed: readonly NotDeleted[], again: readonly string[]): void {
  for (const { upload_id, reason } of failed.slice(0, maximumNoted)) {
    note(output, `${upload_id} failed: ${printable(reason)}`);
  }
  requireAllDeleted(failed, again);
}
