import { Hono } from 'hono';
import { fileActions } from '../../../operator/files/actions.ts';
import { files } from '../../../operator/files/fields.ts';
import { lookAtFile } from '../../../operator/files/look.ts';
import { uploads } from '../../../operator/uploads/fields.ts';
import { namesFor } from '../../../operator/uploads/names.ts';
import { countOutstanding, describeOutstanding } from '../../../operator/uploads/outstanding.ts';
import { readUploads } from '../../../operator/uploads/upload.ts';
import { ActionButtons } from '../../components/actions.tsx';
import { Notes } from '../../components/detail.tsx';
import { EntityDetails, entityColumns, NamesScope } from '../../components/entity.tsx';
import { Newest } from '../../components/list.tsx';
import { Sentence } from '../../components/text.tsx';
import { path, withQuery } from '../../http/addresses.ts';
import type { Env } from '../../http/environment.ts';
import { page } from '../../http/respond.tsx';

/** One file: its content, what can be done, and its uploads. */
export const showPages = new Hono<Env>();

/** So many of the newest uploads are on the page of their file. */
const shownUploads = 20;

showPages.get('/:id', async (c) => {
  const { deployment, now } = c.var.console;
  const id = c.req.param('id');
  const [{ of: file, notes }, outstanding, history] = await Promise.all([
    lookAtFile(deployment, id),
    countOutstanding(deployment, id, now()),
    readUploads(deployment, { fileId: id }, { enough: shownUploads }),
  ]);
  const { file_id, content, sync_enabled, deleted_at } = file;
  const mayStillArrive = !sync_enabled && deleted_at === undefined && outstanding.outstanding > 0;
  const beside = (
    <>
      {content !== undefined && deleted_at === undefined && (
        <a class="button" href={path('files', file_id, 'content')} download>
          Download
        </a>
      )}
      <ActionButtons actions={fileActions} of={file} id={file_id} />
    </>
  );
  return page(
    c,
    { title: file.name, beside },
    <NamesScope.Provider value={await namesFor(deployment, history.entries)}>
      {mayStillArrive && (
        <p class="note warning">
          Syncing is disabled. <Sentence of={describeOutstanding(outstanding)} />
        </p>
      )}
      <Notes of={notes} />
      <EntityDetails
        entity={files}
        of={file}
        more={[['Content', content === undefined ? 'none yet: no upload has completed' : undefined]]}
      />
      <Newest
        title="Uploads"
        columns={entityColumns(uploads, 'file_id', 'organisation_id')}
        rows={history.entries}
        all={withQuery('/uploads', { file: file_id })}
        none="No upload URL was issued for this file yet."
      />
    </NamesScope.Provider>,
  );
});
