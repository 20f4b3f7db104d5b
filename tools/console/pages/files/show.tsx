import { Hono } from 'hono';
import { fileActions } from '../../../operator/files/actions.ts';
import { readTypeOrReason, type TypeOrReason } from '../../../operator/files/content-type.ts';
import { files, type ShownFile } from '../../../operator/files/fields.ts';
import { getFile } from '../../../operator/files/file.ts';
import { uploads } from '../../../operator/uploads/fields.ts';
import { namesFor } from '../../../operator/uploads/names.ts';
import { countOutstanding, describeOutstanding } from '../../../operator/uploads/outstanding.ts';
import { readUploads } from '../../../operator/uploads/upload.ts';
import { ActionButtons } from '../../components/actions.tsx';
import { EntityDetails, entityColumns, NamesScope } from '../../components/entity.tsx';
import { Newest } from '../../components/list.tsx';
import { Sentence } from '../../components/text.tsx';
import { TypeWarning } from '../../components/type-warning.tsx';
import { path, withQuery } from '../../http/addresses.ts';
import type { Env } from '../../http/environment.ts';
import { page } from '../../http/respond.tsx';

/** One file: its content, what can be done, and its uploads. */
export const showPages = new Hono<Env>();

/** So many of the newest uploads are on the page of their file. */
const shownUploads = 20;

/** Before there is content, it has no type. */
const noType: TypeOrReason = {};

showPages.get('/:id', async (c) => {
  const { deployment, now } = c.var.console;
  const file = await getFile(deployment, c.req.param('id'));
  const { file_id, content } = file;
  const [type, outstanding, history] = await Promise.all([
    content === undefined ? noType : readTypeOrReason(deployment, content),
    file.sync_enabled || file.deleted_at !== undefined
      ? undefined
      : countOutstanding(deployment, file_id, now()),
    readUploads(deployment, { fileId: file_id }, { enough: shownUploads }),
  ]);
  const typed = type.contentType === undefined ? {} : { content_type: type.contentType };
  const shown: ShownFile = content === undefined ? file : { ...file, content: { ...content, ...typed } };
  return page(
    c,
    { title: file.name, beside: <Buttons file={file} /> },
    <NamesScope.Provider value={await namesFor(deployment, history.entries)}>
      {outstanding !== undefined && outstanding.outstanding > 0 && (
        <p class="note warning">
          Syncing is disabled. <Sentence of={describeOutstanding(outstanding)} />
        </p>
      )}
      <TypeWarning type={type} />
      <EntityDetails
        entity={files}
        of={shown}
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

function Buttons({ file }: { readonly file: ShownFile }) {
  const { file_id, content, deleted_at } = file;
  return (
    <div class="row">
      {content !== undefined && deleted_at === undefined && (
        <a class="button" href={path('files', file_id, 'content')} download>
          Download
        </a>
      )}
      <ActionButtons actions={fileActions} of={file} id={file_id} />
    </div>
  );
}
