import { Hono } from 'hono';
import { deleteFile } from '../../../cli/operations/deletion/delete-file.ts';
import {
  describeFileDeletion,
  describeRetention,
  requireAllDeleted,
} from '../../../cli/operations/deletion/describe.ts';
import { countUploads } from '../../../cli/operations/deletion/plan.ts';
import { getFile } from '../../../cli/operations/files.ts';
import { counted, quoted } from '../../../cli/text.ts';
import { Consequences } from '../../components/detail.tsx';
import { Form } from '../../components/form.tsx';
import { Empty } from '../../components/list.tsx';
import { Text } from '../../components/text.tsx';
import type { Env } from '../../http/environment.ts';
import { page, path } from '../../http/respond.tsx';
import { countOptions, deletionOptions } from '../shared/deletion.ts';

/** The deletion of a file. */
export const deletePages = new Hono<Env>();

deletePages.get('/:id/delete', async (c) => {
  const { deployment } = c.var.console;
  const file = await getFile(deployment, c.req.param('id'));
  const { file_id } = file;
  const title = { title: 'Delete a file' };
  if (file.delete_after !== undefined) {
    return page(
      c,
      title,
      <Empty title="This file is already deleted.">
        <p>
          <a href={path('files', file_id)}>Go to the file</a>
        </p>
      </Empty>,
    );
  }
  const totals = await countUploads(deployment, { fileId: file_id }, countOptions(c));
  return page(
    c,
    title,
    <Form
      action={path('files', file_id, 'delete')}
      label="Delete the file"
      danger
      cancel={path('files', file_id)}
    >
      <Consequences>
        <p>
          <strong>
            <Text of={file.name} />
          </strong>
        </p>
        <p>
          <Text of={describeFileDeletion(file, totals)} />
        </p>
        <p>
          Clients get 404 for it immediately, and its upload URLs answer 412.{' '}
          {describeRetention(deployment.outputs)}
        </p>
      </Consequences>
    </Form>,
  );
});

deletePages.post('/:id/delete', (c) => {
  const id = c.req.param('id');
  const job = c.var.session.jobs.start(
    { title: `Deleting the file ${quoted(id)}`, back: path('files', id) },
    async (report, note) => {
      const { uploads, cancelled, failed } = await deleteFile(
        c.var.console.deployment,
        id,
        deletionOptions(c, report),
      );
      for (const { upload_id, reason } of failed) {
        note(`${upload_id} failed: ${reason}`);
      }
      requireAllDeleted(failed, ['file', 'delete', id]);
      return [
        `The file was deleted, with ${counted(uploads, 'upload')}. ${counted(cancelled, 'upload URL')} ended.`,
      ];
    },
  );
  return c.redirect(path('jobs', job.id), 303);
});
