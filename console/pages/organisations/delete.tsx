import { Hono } from 'hono';
import { deleteOrganisation } from '../../../cli/operations/deletion/delete-organisation.ts';
import {
  clientDeletionNote,
  describeOrganisationDeletion,
  describeRetention,
  requireAllDeleted,
  requireNoneMade,
} from '../../../cli/operations/deletion/describe.ts';
import { planOrganisationDeletion } from '../../../cli/operations/deletion/plan-organisation.ts';
import { parseNewIdentifier } from '../../../cli/operations/parse-input.ts';
import { counted, quoted } from '../../../cli/text.ts';
import { Consequences } from '../../components/detail.tsx';
import { Form } from '../../components/form.tsx';
import { Empty } from '../../components/list.tsx';
import { Text } from '../../components/text.tsx';
import type { Env } from '../../http/environment.ts';
import { page, path } from '../../http/respond.tsx';
import { countOptions, deletionOptions } from '../shared/deletion.ts';

/** The deletion of all clients and files of an organisation. */
export const deletePages = new Hono<Env>();

deletePages.get('/:id/delete', async (c) => {
  const { deployment } = c.var.console;
  const id = c.req.param('id');
  const plan = await planOrganisationDeletion(deployment, id, countOptions(c));
  const title = { title: 'Delete an organisation' };
  if (plan === 'deleted') {
    return page(c, title, <Empty title="Everything of this organisation is already deleted." />);
  }
  return page(
    c,
    title,
    <Form
      action={path('organisations', id, 'delete')}
      label="Delete everything of the organisation"
      danger
      cancel={path('organisations', id)}
    >
      <Consequences>
        <p>
          <Text of={describeOrganisationDeletion(plan)} />
        </p>
        <p>
          Its clients get no new token, and 404 for every file, as soon as the deletion begins.{' '}
          {clientDeletionNote} {describeRetention(deployment.outputs)}
        </p>
      </Consequences>
    </Form>,
  );
});

deletePages.post('/:id/delete', (c) => {
  const id = parseNewIdentifier(c.req.param('id'), 'organisation');
  const job = c.var.session.jobs.start(
    { title: `Deleting everything of organisation ${quoted(id)}`, back: path('organisations', id) },
    async (report, note) => {
      const options = deletionOptions(c, report);
      const done = await deleteOrganisation(c.var.console.deployment, id, options);
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
    },
  );
  return c.redirect(path('jobs', job.id), 303);
});
