import { formWarning, isForm, type TypeOrReason } from '../../../cli/operations/content-type.ts';
import type { File } from '../../../cli/operations/files.ts';
import type { Upload } from '../../../cli/operations/uploads.ts';
import { Details, Problem } from '../../components/detail.tsx';
import { List } from '../../components/list.tsx';
import { Bytes, Id, Text, Time } from '../../components/text.tsx';
import { path, withQuery } from '../../http/respond.tsx';
import { IdLink } from '../shared/links.tsx';
import { historyColumns } from '../uploads/upload-parts.tsx';

/** The current content of a file. */
export function Content({
  file: { file_id, content },
  type,
}: {
  readonly file: File;
  readonly type: TypeOrReason;
}) {
  if (content === undefined) {
    return <p>There is no content yet: no upload has completed.</p>;
  }
  return (
    <>
      {isForm(type.contentType) && (
        <Problem>
          <p>Warning: {formWarning}</p>
        </Problem>
      )}
      {type.reason !== undefined && (
        <p class="hint">
          <Text of={type.reason} />
        </p>
      )}
      <Details
        rows={[
          ['Size', <Bytes of={content.size} />],
          ['Stored', <Time of={content.completed_at} />],
          ['ETag', <Id of={content.etag} copy />],
          ['CRC64NVME', content.checksum_crc64nvme && <Id of={content.checksum_crc64nvme} copy />],
          ['Type', type.contentType && <Text of={type.contentType} />],
          ['Upload', <IdLink to="uploads" id={content.upload_id} />],
          ['Key', <Id of={content.key} />],
          ['Version', <Id of={content.version_id} />],
        ]}
      />
      <p>
        <a class="button" href={path('files', file_id, 'content')} download>
          Download
        </a>
      </p>
    </>
  );
}

/** The newest uploads of a file. */
export function History(props: {
  readonly fileId: string;
  readonly uploads: readonly Upload[];
  readonly hasMore: boolean;
}) {
  const { fileId, uploads, hasMore } = props;
  if (uploads.length === 0) {
    return <p>No upload URL was issued for this file yet.</p>;
  }
  return (
    <>
      <List label="Uploads of this file" columns={historyColumns} rows={uploads} />
      <p>
        <a href={withQuery('/uploads', { file: fileId })}>
          {hasMore ? 'All uploads of this file, as a live list' : 'These uploads as a live list'}
        </a>
      </p>
    </>
  );
}
