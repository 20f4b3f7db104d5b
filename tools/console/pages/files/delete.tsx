import { Hono } from 'hono';
import { countUploads, deleteFile } from '../../../operator/deletion.ts';
import {
  describeFileDeletion,
  describeRetention,
  requireAllDeleted,
} from '../../../operator/deletion-texts.ts';
import { getFile } from '../../../operator/files.ts';
import { counted, quoted } from '../../../operator/text.ts';
import { Text } from '../../components/text.tsx';
import type { Env } from '../../http/environment.ts';
import { startJob } from '../../http/jobs.ts';
import { confirmPage, goTo, path } from '../../http/respond.tsx';
import { countOptions, jobOptions } from '../shared/deletion.ts';

/** The deletion of a file. */
export const deletePages = new Hono<Env>();

deletePages.get('/:id/delete', async (c) => {
  const { deployment } = c.var.console;
  const file = await getFile(deployment, c.req.param('id'));
  const back = path('files', file.file_id);
  if (file.delete_after !== undefined) {
    return goTo(c, back, 'This file is already deleted.');
  }
  const totals = await countUploads(deployment, { fileId: file.file_id }, countOptions(c.var.console));
  return confirmPage(
    c,
    { title: 'Delete a file', label: 'Delete the file', danger: true, back },
    <>
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
    </>,
  );
});

deletePages.post('/:id/delete', (c) => {
  const id = c.req.param('id');
  const { console } = c.var;
  const job = { title: `Deleting the file ${quoted(id)}`, back: path('files', id) };
  return startJob(c, job, async (report, note) => {
    const options = jobOptions(console, report, 'deleted');
    const { uploads, cancelled, failed } = await deleteFile(console.deployment, id, options);
    for (const { upload_id, reason } of failed) {
      note(`${upload_id} failed: ${reason}`);
    }
    requireAllDeleted(failed, { do: 'delete file', fileId: id });
    return [
      `The file was deleted, with ${counted(uploads, 'upload')}. ${counted(cancelled, 'upload URL')} ended.`,
    ];
  });
});
