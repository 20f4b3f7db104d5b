import { Hono } from 'hono';
import { deleteOrganisation, planOrganisationDeletion } from '../../../operator/deletion.ts';
import {
  clientDeletionNote,
  describeOrganisationDeletion,
  describeRetention,
  requireAllDeleted,
  requireNoneMade,
} from '../../../operator/deletion-texts.ts';
import { parseNewIdentifier } from '../../../operator/parse-input.ts';
import { counted, quoted } from '../../../operator/text.ts';
import { Text } from '../../components/text.tsx';
import type { Env } from '../../http/environment.ts';
import { startJob } from '../../http/jobs.ts';
import { confirmPage, goTo, path } from '../../http/respond.tsx';
import { countOptions, jobOptions } from '../shared/deletion.ts';

/** The deletion of all clients and files of an organisation. */
export const deletePages = new Hono<Env>();

deletePages.get('/:id/delete', async (c) => {
  const { console } = c.var;
  const { deployment } = console;
  const id = c.req.param('id');
  const back = path('organisations', id);
  const plan = await planOrganisationDeletion(deployment, id, countOptions(console));
  if (plan === 'deleted') {
    return goTo(c, back, 'Everything of this organisation is already deleted.');
  }
  return confirmPage(
    c,
    { title: 'Delete an organisation', label: 'Delete everything of the organisation', danger: true, back },
    <>
      <p>
        <Text of={describeOrganisationDeletion(plan)} />
      </p>
      <p>
        Its clients get no new token, and 404 for every file, as soon as the deletion begins.{' '}
        {clientDeletionNote} {describeRetention(deployment.outputs)}
      </p>
    </>,
  );
});

deletePages.post('/:id/delete', (c) => {
  const { console } = c.var;
  const id = parseNewIdentifier(c.req.param('id'), 'organisation');
  const job = { title: `Deleting everything of organisation ${quoted(id)}`, back: path('organisations', id) };
  return startJob(c, job, async (report, note) => {
    const options = jobOptions(console, report, 'deleted');
    const done = await deleteOrganisation(console.deployment, id, options);
    for (const { upload_id, reason } of done.failed) {
      note(`${upload_id} failed: ${reason}`);
    }
    const again = ['organisation', 'delete', id];
    requireAllDeleted(done.failed, again);
    requireNoneMade(done.made, again);
    const { clients, files, uploads, cancelled } = done;
    return [
      `${counted(clients, 'client')}, ${counted(files, 'file')} and ${counted(uploads, 'upload')} were deleted. ` +
        `${counted(cancelled, 'upload URL')} ended.`,
      clientDeletionNote,
    ];
  });
});
