import { Command } from 'commander';
import type { FailedUpload } from '../../operator/close-uploads.ts';
import {
  type CountOptions,
  countUploads,
  deleteClient,
  deleteFile,
  deleteOrganisation,
  planClientDeletion,
  planOrganisationDeletion,
} from '../../operator/deletion.ts';
import {
  clientDeletionNote,
  describeClientDeletion,
  describeFileDeletion,
  describeOrganisationDeletion,
  describeRetention,
  requireAllDeleted,
} from '../../operator/deletion-texts.ts';
import type { Deployment } from '../../operator/deployment/deployment.ts';
import type { NextStep } from '../../operator/errors.ts';
import { getFile } from '../../operator/files.ts';
import { counted, quoted } from '../../operator/text.ts';
import { addExamples } from '../../terminal/help.ts';
import { note, showOne } from '../../terminal/output.ts';
import { confirm } from '../../terminal/question.ts';
import { type AdminContext, act, type Session } from './session.ts';
import { noteFailed, workOn } from './upload-work.ts';
import { details } from './views.ts';

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
  return addDeletion(command, context, planFile);
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
  return addDeletion(command, context, planClient);
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
  return addDeletion(command, context, planOrganisation);
}

/** What a deletion would do, and how it is done. */
interface Plan {
  /** The ids. */
  readonly subject: object;
  /** What would go. */
  readonly totals: object;
  /** Says the same, to be confirmed. */
  readonly question: string;
  /** How many uploads it works on. */
  readonly uploads: number;
  readonly run: (work: ReturnType<typeof workOn>) => Promise<{
    readonly result: object;
    readonly failed: readonly FailedUpload[];
  }>;
  readonly again: NextStep;
  readonly afterwards?: string;
}

/** @returns `deleted` when nothing is left to do */
type MakePlan = (deployment: Deployment, id: string, options: CountOptions) => Promise<Plan | Deleted>;

interface Deleted {
  readonly deleted: string;
  readonly record: object;
}

async function planFile(
  deployment: Deployment,
  fileId: string,
  options: CountOptions,
): Promise<Plan | Deleted> {
  const file = await getFile(deployment, fileId);
  if (file.delete_after !== undefined) {
    return { deleted: `The file ${quoted(fileId)}`, record: file };
  }
  const totals = await countUploads(deployment, { fileId }, options);
  return {
    subject: { file_id: fileId, organisation_id: file.organisation_id },
    totals,
    question: describeFileDeletion(file, totals),
    uploads: totals.uploads,
    run: async (work) => {
      const { file, failed, ...counts } = await deleteFile(deployment, fileId, work);
      return { result: { ...endOf(file), ...counts }, failed };
    },
    again: { do: 'delete file', fileId },
  };
}

async function planClient(deployment: Deployment, clientId: string, { now }: CountOptions): Promise<Plan> {
  const plan = await planClientDeletion(deployment, clientId, now);
  const { client, outstanding } = plan;
  return {
    subject: { client_id: clientId, organisation_id: client.organisation_id },
    totals: { secrets: client.secrets.length, outstanding },
    question: describeClientDeletion(plan),
    uploads: outstanding,
    run: async (work) => {
      const { client, failed, ...counts } = await deleteClient(deployment, clientId, work);
      return { result: { ...endOf(client), ...counts }, failed };
    },
    again: { do: 'delete client', clientId },
    afterwards: `${clientDeletionNote} Repeat the command then, to end URLs that were asked for with them.`,
  };
}

async function planOrganisation(
  deployment: Deployment,
  organisationId: string,
  options: CountOptions,
): Promise<Plan | Deleted> {
  const subject = { organisation_id: organisationId };
  const plan = await planOrganisationDeletion(deployment, organisationId, options);
  if (plan === 'deleted') {
    return { deleted: `Everything of organisation ${quoted(organisationId)}`, record: subject };
  }
  const { clients, files, totals } = plan;
  return {
    subject,
    totals: { clients, files, ...totals },
    question: describeOrganisationDeletion(plan),
    uploads: totals.uploads,
    run: async (work) => {
      const { failed, ...result } = await deleteOrganisation(deployment, organisationId, work);
      return { result, failed };
    },
    again: { do: 'delete organisation', organisationId },
  };
}

function endOf({
  deleted_at,
  delete_after,
}: {
  readonly deleted_at?: string;
  readonly delete_after?: string;
}) {
  return { deleted_at, delete_after };
}

interface Flags {
  readonly yes?: true;
  readonly dryRun?: true;
}

function addDeletion(command: Command, context: AdminContext, makePlan: MakePlan): Command {
  return command
    .option('--dry-run', 'show what would go, and change nothing')
    .option('--yes', 'skip the confirmation')
    .action(act(context, (session, id: string, flags: Flags) => runDeletion(session, makePlan, id, flags)));
}

async function runDeletion(session: Session, makePlan: MakePlan, id: string, flags: Flags): Promise<void> {
  const { context, output } = session;
  const deployment = await session.open();
  const counting = workOn(session, (done) => `Counting: ${counted(done, 'upload')} so far`);
  const plan = await makePlan(deployment, id, { now: Date.now(), progress: counting.progress }).finally(
    counting.finish,
  );
  if ('deleted' in plan) {
    showOne(output, { ...plan.record, already_deleted: true }, details);
    note(output, `${plan.deleted} is already deleted. Nothing was changed.`);
    return;
  }
  if (flags.dryRun) {
    showOne(output, { ...plan.subject, ...plan.totals, dry_run: true }, details);
    note(output, 'Nothing was changed.');
    return;
  }
  await confirm(`${plan.question} ${describeRetention(deployment.outputs)}`, flags.yes === true, context);
  const text = (done: number) => `Deleting: ${done} of ${counted(Math.max(done, plan.uploads), 'upload')}`;
  const work = workOn(session, text);
  const { result, failed } = await plan.run(work).finally(work.finish);
  showOne(output, { ...plan.subject, ...result, failed: failed.length }, details);
  noteFailed(output, failed);
  requireAllDeleted(failed, plan.again);
  if (plan.afterwards !== undefined) {
    note(output, plan.afterwards);
  }
}
