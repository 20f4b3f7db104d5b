import { Hono } from 'hono';
import { mayBeUnderWay, underWayNote } from '../../../operator/close-uploads.ts';
import { readTypeOrReason, type TypeOrReason } from '../../../operator/content-type.ts';
import { getUpload, type Upload } from '../../../operator/uploads.ts';
import { Details, Live } from '../../components/detail.tsx';
import { Bytes, Id, Text, Time } from '../../components/text.tsx';
import type { Env } from '../../http/environment.ts';
import { page, path } from '../../http/respond.tsx';
import { IdLink } from '../shared/links.tsx';
import { TypeWarning, UploadStatus } from './upload-parts.tsx';

/** One upload, live until it ends. */
export const showPages = new Hono<Env>();

showPages.get('/:id', async (c) => {
  const { deployment, now } = c.var.console;
  const upload = await getUpload(deployment, c.req.param('id'));
  const { upload_id, state } = upload;
  const type = state === 'completed' ? await readTypeOrReason(deployment, upload) : {};
  const everySeconds = state === 'issued' ? 2 : mayBeUnderWay(upload, now()) ? 10 : undefined;
  const address = path('uploads', upload_id);
  return page(
    c,
    { title: `Upload ${upload_id}` },
    <Live id="upload" address={address} everySeconds={everySeconds}>
      <p role="status">
        <UploadStatus upload={upload} /> {describe(upload, now())}
      </p>
      <TypeWarning type={type} />
      {(state === 'issued' || state === 'expired') && (
        <p>
          <a class="button risky" id="cancel" href={`${address}/cancel`}>
            Cancel the upload
          </a>
        </p>
      )}
      <UploadDetails upload={upload} type={type} />
      {everySeconds !== undefined && <p class="hint">This page is kept up to date until the upload ends.</p>}
    </Live>,
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
      return 'The URL was closed. It answers 412 until it expires.';
    case 'completed':
      if (upload.deleted_at !== undefined) {
        return 'It was deleted with its file.';
      }
      return upload.superseded_at === undefined
        ? 'It is the content of the file.'
        : 'Newer content of the file replaced this one.';
  }
}

function UploadDetails({ upload, type }: { readonly upload: Upload; readonly type: TypeOrReason }) {
  const { upload_id, file_id, organisation_id, client_id, request_id } = upload;
  const completed = upload.state === 'completed' ? upload : undefined;
  return (
    <Details
      rows={[
        ['Upload ID', <Id of={upload_id} copy />],
        ['File', <IdLink to="files" id={file_id} place={upload_id} />],
        ['Organisation', <IdLink to="organisations" id={organisation_id} place={upload_id} />],
        ['Client', <IdLink to="clients" id={client_id} place={upload_id} />],
        ['Issued', <Time of={upload.issued_at} />],
        ['URL expires', <Time of={upload.expires_at} />],
        ['Completed', completed && <Time of={completed.completed_at} />],
        ['Cancelled', upload.state === 'cancelled' ? <Time of={upload.cancelled_at} /> : undefined],
        ['Superseded', upload.superseded_at && <Time of={upload.superseded_at} />],
        ['Deleted', upload.deleted_at && <Time of={upload.deleted_at} />],
        ['Record kept until', upload.delete_after && <Time of={upload.delete_after} />],
        ['Request', request_id && <Id of={request_id} copy />],
        ['Key', <Id of={upload.key} copy />],
        ['Size', completed && <Bytes of={completed.size} />],
        ['ETag', completed && <Id of={completed.etag} copy />],
        ['CRC64NVME', completed?.checksum_crc64nvme && <Id of={completed.checksum_crc64nvme} copy />],
        ['Version', completed && <Id of={completed.version_id} copy />],
        ['Type', type.contentType && <Text of={type.contentType} />],
      ]}
    />
  );
}
