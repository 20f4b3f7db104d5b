import { Hono } from 'hono';
import { deleteClient, planClientDeletion } from '../../../operator/deletion.ts';
import {
  clientDeletionNote,
  describeClientDeletion,
  describeRetention,
  requireAllDeleted,
} from '../../../operator/deletion-texts.ts';
import { counted, quoted } from '../../../operator/text.ts';
import { Text } from '../../components/text.tsx';
import type { Env } from '../../http/environment.ts';
import { startJob } from '../../http/jobs.ts';
import { confirmPage, path } from '../../http/respond.tsx';
import { jobOptions } from '../shared/deletion.ts';

/** The deletion of a client. */
export const deletePages = new Hono<Env>();

deletePages.get('/:id/delete', async (c) => {
  const { deployment, now } = c.var.console;
  const plan = await planClientDeletion(deployment, c.req.param('id'), now());
  const back = path('clients', plan.client.client_id);
  return confirmPage(
    c,
    { title: 'Delete a client', label: 'Delete the client', danger: true, back },
    <>
      <p>
        <Text of={describeClientDeletion(plan)} />
      </p>
      <p>
        {clientDeletionNote} {describeRetention(deployment.outputs)}
      </p>
    </>,
  );
});

deletePages.post('/:id/delete', (c) => {
  const id = c.req.param('id');
  const { console } = c.var;
  const job = { title: `Deleting the client ${quoted(id)}`, back: path('clients', id) };
  return startJob(c, job, async (report, note) => {
    const options = jobOptions(console, report, 'looked at');
    const { cancelled, failed } = await deleteClient(console.deployment, id, options);
    for (const { upload_id, reason } of failed) {
      note(`${upload_id} failed: ${reason}`);
    }
    requireAllDeleted(failed, { do: 'delete client', clientId: id });
    return [`The client was deleted, and ${counted(cancelled, 'upload URL')} ended.`, clientDeletionNote];
  });
});
