import { Hono } from 'hono';
import { cancelUpload, requireOpen } from '../../../operator/uploads/cancel.ts';
import { namesFor } from '../../../operator/uploads/names.ts';
import { getUpload } from '../../../operator/uploads/upload.ts';
import { Id, Time } from '../../components/text.tsx';
import type { Env } from '../../http/environment.ts';
import { confirmPage, goTo, path } from '../../http/respond.tsx';
import { IdLink } from '../shared/links.tsx';

/** Closes an upload URL that was not used yet. */
export const cancelPages = new Hono<Env>();

cancelPages.get('/:id/cancel', async (c) => {
  const upload = await getUpload(c.var.console.deployment, c.req.param('id'));
  requireOpen(upload);
  const names = await namesFor(c.var.console.deployment, [upload]);
  const { upload_id, file_id, client_id, state, expires_at } = upload;
  return confirmPage(
    c,
    {
      title: 'Cancel an upload',
      label: 'Cancel the upload',
      danger: true,
      back: path('uploads', upload_id),
    },
    <>
      <p>
        This closes the URL of upload <Id of={upload_id} />. It was issued to the client{' '}
        <IdLink to="clients" id={client_id} name={names.clients.get(client_id)} /> for the file{' '}
        <IdLink to="files" id={file_id} name={names.files.get(file_id)} />, and{' '}
        {state === 'expired' ? 'expired' : 'expires'} <Time of={expires_at} />.
      </p>
      <p>
        A PUT to it then gets 412, also one that is under way. This cannot be undone: the client has to ask
        for a new URL. If the content has arrived already, nothing is changed.
      </p>
    </>,
  );
});

cancelPages.post('/:id/cancel', async (c) => {
  const id = c.req.param('id');
  await cancelUpload(c.var.console.deployment, id);
  return goTo(c, path('uploads', id), 'The upload was cancelled. Its URL answers 412.');
});
