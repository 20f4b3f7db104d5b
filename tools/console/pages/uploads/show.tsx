import { Hono } from 'hono';
import { readTypeOrReason, type TypeOrReason } from '../../../operator/files/content-type.ts';
import { type Names, namesFor } from '../../../operator/uploads/names.ts';
import { mayBeUnderWay, underWayNote } from '../../../operator/uploads/outstanding.ts';
import { getUpload, type Upload } from '../../../operator/uploads/upload.ts';
import { Details, Live } from '../../components/detail.tsx';
import { Bytes, Id, Text, Time } from '../../components/text.tsx';
import type { Env } from '../../http/environment.ts';
import { page, path } from '../../http/respond.tsx';
import { NamedId } from '../shared/links.tsx';
import { TypeWarning, UploadStatus } from './upload-parts.tsx';

/** One upload, live until it ends. */
export const showPages = new Hono<Env>();

showPages.get('/:id', async (c) => {
  const { deployment, now } = c.var.console;
  const upload = await getUpload(deployment, c.req.param('id'));
  const { upload_id, state } = upload;
  const [type, names] = await Promise.all([
    state === 'completed' ? readTypeOrReason(deployment, upload) : {},
    namesFor(deployment, [upload]),
  ]);
  const everySeconds = state === 'issued' ? 2 : mayBeUnderWay(upload, now()) ? 10 : undefined;
  const address = path('uploads', upload_id);
  return page(
    c,
    { title: `Upload of ${names.files.get(upload.file_id) ?? upload.file_id}` },
    <Live id="upload" address={address} everySeconds={everySeconds}>
      <div class="row apart">
        <p role="status">
          <UploadStatus upload={upload} /> {describe(upload, now())}
          {everySeconds !== undefined && <span class="muted"> Kept up to date.</span>}
        </p>
        {(state === 'issued' || state === 'expired') && (
          <a class="button risky" id="cancel" href={`${address}/cancel`}>
            Cancel the upload
          </a>
        )}
      </div>
      <TypeWarning type={type} />
      <UploadDetails upload={upload} type={type} names={names} />
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

function UploadDetails(props: {
  readonly upload: Upload;
  readonly type: TypeOrReason;
  readonly names: Names;
}) {
  const { upload, type, names } = props;
  const { file_id, organisation_id, client_id, request_id, expires_at } = upload;
  const completed = upload.state === 'completed' ? upload : undefined;
  const isOpen = upload.state === 'issued';
  const ends = isOpen || upload.state === 'expired';
  return (
    <Details
      rows={[
        ['File', <NamedId to="files" id={file_id} name={names.files.get(file_id)} />],
        ['Client', <NamedId to="clients" id={client_id} name={names.clients.get(client_id)} />],
        ['Organisation', <NamedId to="organisations" id={organisation_id} />],
        ['URL issued', <Time of={upload.issued_at} exact />],
        ['Asked from', upload.requested_from && <Id of={upload.requested_from} copy />],
        [isOpen ? 'URL expires' : 'URL expired', ends ? <Time of={expires_at} exact /> : undefined],
        ['Completed', completed && <Time of={completed.completed_at} exact />],
        ['Sent from', completed?.uploaded_from && <Id of={completed.uploaded_from} copy />],
        ['Cancelled', upload.state === 'cancelled' ? <Time of={upload.cancelled_at} exact /> : undefined],
        ['Superseded', upload.superseded_at && <Time of={upload.superseded_at} exact />],
        ['Deleted', upload.deleted_at && <Time of={upload.deleted_at} exact />],
        ['Record kept until', upload.delete_after && <Time of={upload.delete_after} exact />],
        ['Size', completed && <Bytes of={completed.size} />],
        ['Type', type.contentType && <Text of={type.contentType} />],
        ['CRC64NVME', completed?.checksum_crc64nvme && <Id of={completed.checksum_crc64nvme} copy />],
        ['ETag', completed && <Id of={completed.etag} copy />],
        ['Upload ID', <Id of={upload.upload_id} copy />],
        ['Request', request_id && <Id of={request_id} copy />],
        ['Key', <Id of={upload.key} copy />],
        ['Version', completed && <Id of={completed.version_id} copy />],
      ]}
    />
  );
}
