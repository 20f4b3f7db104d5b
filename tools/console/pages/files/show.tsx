import { Hono } from 'hono';
import { readTypeOrReason, type TypeOrReason } from '../../../operator/files/content-type.ts';
import { type File, getFile } from '../../../operator/files/file.ts';
import { countOutstanding, describeOutstanding } from '../../../operator/uploads/outstanding.ts';
import { readUploads } from '../../../operator/uploads/upload.ts';
import { Details } from '../../components/detail.tsx';
import { ActionButton } from '../../components/form.tsx';
import { Newest } from '../../components/list.tsx';
import { Bytes, Id, Sentence, Text, Time } from '../../components/text.tsx';
import type { Env } from '../../http/environment.ts';
import { page, path, withQuery } from '../../http/respond.tsx';
import { IdLink } from '../shared/links.tsx';
import { TypeWarning, uploadColumns } from '../uploads/upload-parts.tsx';
import { FileStatus } from './list.tsx';

/** One file: its content, its sync switch and its uploads. */
export const showPages = new Hono<Env>();

/** So many of the newest uploads are on the page of their file. */
const shownUploads = 20;

showPages.get('/:id', async (c) => {
  const { deployment, now } = c.var.console;
  const file = await getFile(deployment, c.req.param('id'));
  const { file_id, content } = file;
  const [type, outstanding, history] = await Promise.all([
    content === undefined ? {} : readTypeOrReason(deployment, content),
    file.sync_enabled || file.deleted_at !== undefined
      ? undefined
      : countOutstanding(deployment, file_id, now()),
    readUploads(deployment, { fileId: file_id }, { enough: shownUploads }),
  ]);
  const columns = await uploadColumns(deployment, history.entries, 'file');
  return page(
    c,
    { title: file.name, beside: <FileActions file={file} /> },
    <>
      {outstanding !== undefined && outstanding.outstanding > 0 && (
        <p class="note warning">
          Syncing is disabled. <Sentence of={describeOutstanding(outstanding)} />
        </p>
      )}
      <TypeWarning type={type} />
      <Details
        rows={[
          ['Syncing', <FileStatus file={file} />],
          ['Organisation', <IdLink to="organisations" id={file.organisation_id} />],
          ['File ID', <Id of={file_id} copy />],
          ...contentRows(file, type),
          ['Created', <Time of={file.created_at} exact />],
          ['Updated', <Time of={file.updated_at} exact />],
          ['Deleted', file.deleted_at && <Time of={file.deleted_at} exact />],
          ['Kept until', file.delete_after && <Time of={file.delete_after} exact />],
        ]}
      />
      <Newest
        title="Uploads"
        columns={columns}
        rows={history.entries}
        all={withQuery('/uploads', { file: file_id })}
        none="No upload URL was issued for this file yet."
      />
    </>,
  );
});

function FileActions({ file }: { readonly file: File }) {
  const to = (...rest: readonly string[]) => path('files', file.file_id, ...rest);
  if (file.deleted_at !== undefined) {
    return file.delete_after === undefined ? <a href={to('delete')}>Complete the deletion</a> : null;
  }
  return (
    <div class="row">
      {file.content !== undefined && (
        <a class="button" href={to('content')} download>
          Download
        </a>
      )}
      <ActionButton
        action={to('sync')}
        label={file.sync_enabled ? 'Disable syncing' : 'Enable syncing'}
        fields={{ enabled: String(!file.sync_enabled) }}
      />
      <a class="button" href={to('sync', 'close')}>
        {file.sync_enabled ? 'Disable syncing and close upload URLs' : 'Close upload URLs'}
      </a>
      <a class="button risky" href={to('delete')}>
        Delete
      </a>
    </div>
  );
}

/** The current content of a file. */
function contentRows({ content }: File, type: TypeOrReason) {
  if (content === undefined) {
    return [['Content', 'none yet: no upload has completed'] as const];
  }
  return [
    ['Content', <Bytes of={content.size} />],
    ['Stored', <Time of={content.completed_at} exact />],
    ['Type', type.contentType && <Text of={type.contentType} />],
    ['CRC64NVME', content.checksum_crc64nvme && <Id of={content.checksum_crc64nvme} copy />],
    ['ETag', <Id of={content.etag} copy />],
    ['Upload', <IdLink to="uploads" id={content.upload_id} />],
    ['Key', <Id of={content.key} copy />],
    ['Version', <Id of={content.version_id} copy />],
  ] as const;
}
