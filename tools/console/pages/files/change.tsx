import { Hono } from 'hono';
import { requireNotDeleted } from '../../../operator/deployment/items.ts';
import { getFile, setSyncEnabled } from '../../../operator/files/file.ts';
import { counted, quoted } from '../../../operator/text.ts';
import {
  countOutstanding,
  describeCancelAll,
  disableAndCancel,
} from '../../../operator/uploads/outstanding.ts';
import { Text } from '../../components/text.tsx';
import type { Env } from '../../http/environment.ts';
import { readForm } from '../../http/form.ts';
import { startJob } from '../../http/jobs.ts';
import { confirmPage, goTo, path } from '../../http/respond.tsx';
import { jobOptions } from '../shared/deletion.tsx';

/** Whether clients can sync into a file, and what closes the upload URLs that were issued before. */
export const changePages = new Hono<Env>();

/** The form says which of the two is wanted, so that a page that is out of date cannot turn it the other way. */
changePages.post('/:id/sync', async (c) => {
  const id = c.req.param('id');
  const isWanted = (await readForm(c)).enabled?.[0] === 'true';
  const { changed } = await setSyncEnabled(c.var.console.deployment, id, isWanted);
  if (!changed) {
    const text = `Syncing was ${isWanted ? 'already' : 'not'} enabled for ${quoted(id)}. Nothing was changed.`;
    return goTo(c, path('files', id), text);
  }
  const text = isWanted
    ? 'Clients can request upload URLs for this file.'
    : 'Clients get no upload URL for this file from now on.';
  return goTo(c, path('files', id), text);
});

changePages.get('/:id/sync/close', async (c) => {
  const { deployment, now } = c.var.console;
  const file = await getFile(deployment, c.req.param('id'));
  const { file_id } = file;
  requireNotDeleted('file', file_id, file);
  const uploads = await countOutstanding(deployment, file_id, now());
  return confirmPage(
    c,
    {
      title: 'Close the upload URLs of a file',
      label: 'Disable syncing and close the URLs',
      danger: true,
      back: path('files', file_id),
    },
    <>
      <p>
        <Text of={describeCancelAll(file_id, uploads)} />
      </p>
      <p>
        A URL that is closed answers 412. Uploads that are completed stay. Syncing can be enabled again, and
        clients then need new URLs.
      </p>
    </>,
  );
});

changePages.post('/:id/sync/close', (c) => {
  const id = c.req.param('id');
  const { console } = c.var;
  const job = { title: `Closing the upload URLs of the file ${quoted(id)}`, back: path('files', id) };
  return startJob(c, job, async (report) => {
    const { cancelled } = await disableAndCancel(console.deployment, id, jobOptions(console, report));
    return `Syncing is disabled, and ${counted(cancelled, 'upload URL')} closed.`;
  });
});
