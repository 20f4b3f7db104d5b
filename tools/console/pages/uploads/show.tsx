import { Hono } from 'hono';
import { readTypeOrReason, type TypeOrReason } from '../../../operator/files/content-type.ts';
import { uploadActions } from '../../../operator/uploads/actions.ts';
import { type ShownUpload, uploads } from '../../../operator/uploads/fields.ts';
import { namesFor } from '../../../operator/uploads/names.ts';
import { mayBeUnderWay, underWayNote } from '../../../operator/uploads/outstanding.ts';
import { getUpload, type Upload } from '../../../operator/uploads/upload.ts';
import { ActionButtons } from '../../components/actions.tsx';
import { Live } from '../../components/detail.tsx';
import { EntityDetails, NamesScope } from '../../components/entity.tsx';
import { TypeWarning } from '../../components/type-warning.tsx';
import { path } from '../../http/addresses.ts';
import type { Env } from '../../http/environment.ts';
import { page } from '../../http/respond.tsx';

/** One upload, kept up to date until nothing can arrive any more. */
export const showPages = new Hono<Env>();

/** Before there is content, it has no type. */
const noType: TypeOrReason = {};

showPages.get('/:id', async (c) => {
  const { deployment, now } = c.var.console;
  const upload = await getUpload(deployment, c.req.param('id'));
  const { upload_id, state, file_id } = upload;
  const [type, names] = await Promise.all([
    state === 'completed' ? readTypeOrReason(deployment, upload) : noType,
    namesFor(deployment, [upload]),
  ]);
  const shown: ShownUpload = { ...upload, ...(type.contentType && { content_type: type.contentType }) };
  const everySeconds = state === 'issued' ? 2 : mayBeUnderWay(upload, now()) ? 10 : undefined;
  return page(
    c,
    { title: `Upload of ${names.files.get(file_id) ?? file_id}` },
    <NamesScope.Provider value={names}>
      <Live id="upload" address={path('uploads', upload_id)} everySeconds={everySeconds}>
        <div class="row apart">
          <p role="status">
            {describe(upload, now())}
            {everySeconds !== undefined && <span class="muted"> Kept up to date.</span>}
          </p>
          <div class="row">
            <ActionButtons actions={uploadActions} of={upload} id={upload_id} />
          </div>
        </div>
        <TypeWarning type={type} />
        <EntityDetails entity={uploads} of={shown} />
      </Live>
    </NamesScope.Provider>,
  );
});

/** What is true of an upload now. */
function describe(upload: Upload, now: number): string {
  switch (upload.state) {
    case 'issued':
      return 'Waiting for the bytes: the URL takes one PUT with the whole file.';
    case 'expired':
      return mayBeUnderWay(upload, now) ? underWayNote : 'Nothing was recorded before the URL expired.';
    case 'cancelled':
      return 'The upload was cancelled. Its URL answers 412 until it expires.';
    case 'completed':
      if (upload.deleted_at !== undefined) {
        return 'It was deleted with its file.';
      }
      return upload.superseded_at === undefined
        ? 'It is the content of the file.'
        : 'Newer content of the file replaced this one.';
  }
}
