import { Command } from 'commander';
import type { Deployment } from '../../operator/deployment/deployment.ts';
import {
  type CountOptions,
  type Deletion,
  planClientDeletion,
  planFileDeletion,
  planOrganisationDeletion,
} from '../../operator/organisations/deletion.ts';
import { counted, quoted } from '../../operator/text.ts';
import { note, showOne } from '../../terminal/output.ts';
import { confirm } from '../../terminal/question.ts';
import { act, type MakeCommand, type Session } from './session.ts';
import { workOn } from './upload-work.ts';
import { details } from './views.ts';

/** `file delete` */
export const deleteFileCommand = deleteCommand(
  'file',
  'delete a file, its content and its uploads',
  'Delete a file. Clients get 404 for it immediately, and its outstanding upload URLs are ended: they then answer ' +
    '412. Its content and the records of its uploads are kept for supersededRetentionDays and then removed.',
  planFileDeletion,
);

/** `client delete` */
export const deleteClientCommand = deleteCommand(
  'client',
  'delete a client and its secrets',
  'Delete a client. It gets no token from now on, its secrets are removed immediately, and its outstanding upload ' +
    'URLs are ended. Tokens already issued work until they expire: repeat the command then, to end the URLs that ' +
    'were asked for with them. Files and their content stay. The record is kept for supersededRetentionDays and ' +
    'then removed.',
  planClientDeletion,
);

/** `organisation delete` */
export const deleteOrganisationCommand = deleteCommand(
  'organisation',
  'delete all clients and files of an organisation',
  'Delete every client and every file of an organisation, as client delete and file delete do. Clients get no ' +
    'token, and 404 for every file, as soon as the deletion begins.',
  planOrganisationDeletion,
);

type Plan = (deployment: Deployment, id: string, options: CountOptions) => Promise<Deletion | undefined>;

function deleteCommand(
  noun: 'file' | 'client' | 'organisation',
  summary: string,
  description: string,
  plan: Plan,
): MakeCommand {
  return (context) =>
    new Command('delete')
      .summary(summary)
      .description(
        `${description} This cannot be undone. Repeat the command if it fails or is stopped: that is safe.`,
      )
      .argument(`<${noun}-id>`)
      .option('--yes', 'skip the confirmation')
      .action(
        act(context, async (session, id: string, { yes }: { readonly yes?: true }) => {
          const deployment = await session.open();
          const deletion = await look(session, plan, deployment, id);
          if (deletion === undefined) {
            showOne(session.output, { [`${noun}_id`]: id, already_deleted: true }, details);
            note(session.output, `The ${noun} ${quoted(id)} is already deleted. Nothing was changed.`);
            return;
          }
          await confirm(deletion.question, yes === true, context);
          const { uploads } = deletion;
          const work = workOn(
            session,
            (done) => `Deleting: ${done} of ${counted(Math.max(done, uploads), 'upload')}`,
          );
          const report = await deletion.run(work).finally(work.finish);
          showOne(session.output, { [`${noun}_id`]: id, ...report }, details);
        }),
      );
}

function look(session: Session, plan: Plan, deployment: Deployment, id: string) {
  const { progress, finish } = workOn(session, (done) => `Counting: ${counted(done, 'upload')} so far`);
  return plan(deployment, id, { now: Date.now(), progress }).finally(finish);
}
