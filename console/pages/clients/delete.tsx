import { Hono } from 'hono';
import { CommandError, exitCodes } from '../../../cli/errors.ts';
import { deleteClient, planClientDeletion } from '../../../cli/operations/deletion/delete-client.ts';
import {
  clientDeletionNote,
  describeClientDeletion,
  describeRetention,
} from '../../../cli/operations/deletion/describe.ts';
import { counted, formatSeconds, quoted } from '../../../cli/text.ts';
import { Consequences } from '../../components/detail.tsx';
import { Form } from '../../components/form.tsx';
import { Text } from '../../components/text.tsx';
import type { Env } from '../../http/environment.ts';
import { page, path } from '../../http/respond.tsx';

/** The deletion of a client. */
export const deletePages = new Hono<Env>();

deletePages.get('/:id/delete', async (c) => {
  const { deployment, now } = c.var.console;
  const plan = await planClientDeletion(deployment, c.req.param('id'), now());
  const { client_id } = plan.client;
  return page(
    c,
    { title: 'Delete a client' },
    <Form
      action={path('clients', client_id, 'delete')}
      label="Delete the client"
      danger
      cancel={path('clients', client_id)}
    >
      <Consequences>
        <p>
          <Text of={describeClientDeletion(plan)} />
        </p>
        <p>
          {clientDeletionNote} {describeRetention(deployment.outputs)}
        </p>
      </Consequences>
    </Form>,
  );
});

deletePages.post('/:id/delete', async (c) => {
  const id = c.req.param('id');
  const { deployment, now, sleep } = c.var.console;
  const back = path('clients', id);
  const job = c.var.session.jobs.start(
    { title: `Deleting the client ${quoted(id)}`, back },
    async (report) => {
      const { cancelled, failed } = await deleteClient(deployment, id, {
        progress: (done) => report(`${counted(done, 'upload URL')} ended so far.`),
        waiting: (milliseconds) =>
          report(`Waiting ${formatSeconds(milliseconds / 1000)} for sync requests that began before.`),
        sleep,
        now,
      });
      if (failed.length > 0) {
        throw new CommandError(
          `${counted(failed.length, 'upload')} could not be cancelled, so the deletion is not complete. ` +
            `The first: ${failed[0]?.upload_id}: ${failed[0]?.reason}. Fix the cause and delete the client again:`,
          exitCodes.failed,
          [['client', 'show', id]],
        );
      }
      return [`The client was deleted, and ${counted(cancelled, 'upload URL')} ended.`, clientDeletionNote];
    },
  );
  return c.redirect(path('jobs', job.id), 303);
});
