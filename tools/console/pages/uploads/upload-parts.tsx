import { formWarning, isForm, type TypeOrReason } from '../../../operator/content-type.ts';
import type { Upload, UploadState } from '../../../operator/uploads.ts';
import { Problem } from '../../components/detail.tsx';
import type { Column } from '../../components/list.tsx';
import { Badge, Bytes, Text, Time, type Tone } from '../../components/text.tsx';
import { IdLink } from '../shared/links.tsx';

const tones: Readonly<Record<UploadState, Tone>> = {
  issued: 'plain',
  completed: 'good',
  cancelled: 'bad',
  expired: 'warning',
};

/** The state of an upload, and whether its content was replaced or its file deleted. */
export function UploadStatus({ upload }: { readonly upload: Upload }) {
  const { state, superseded_at, deleted_at } = upload;
  return (
    <span class="badges">
      <Badge tone={tones[state]}>{state}</Badge>
      {deleted_at !== undefined && <Badge tone="bad">deleted</Badge>}
      {deleted_at === undefined && superseded_at !== undefined && <Badge>superseded</Badge>}
    </span>
  );
}

/** What is wrong with the type of a content, or why it could not be read. */
export function TypeWarning({ type: { contentType, reason } }: { readonly type: TypeOrReason }) {
  return (
    <>
      {isForm(contentType) && (
        <Problem>
          <p>Warning: {formWarning}</p>
        </Problem>
      )}
      {reason !== undefined && (
        <p class="hint">
          <Text of={reason} />
        </p>
      )}
    </>
  );
}

const common: readonly Column<Upload>[] = [
  {
    heading: 'Upload ID',
    cell: ({ upload_id }) => <IdLink to="uploads" id={upload_id} place={upload_id} />,
  },
  { heading: 'Status', cell: (upload) => <UploadStatus upload={upload} /> },
];

const times: readonly Column<Upload>[] = [
  { heading: 'Issued', cell: (upload) => <Time of={upload.issued_at} /> },
  {
    heading: 'Completed',
    cell: (upload) => <Time of={upload.state === 'completed' ? upload.completed_at : undefined} />,
  },
  {
    heading: 'Size',
    cell: (upload) => <Bytes of={upload.state === 'completed' ? upload.size : undefined} short />,
    align: 'right',
  },
];

const client: Column<Upload> = {
  heading: 'Client',
  cell: ({ upload_id, client_id }) => <IdLink to="clients" id={client_id} place={upload_id} />,
};

/** The uploads of one file. */
export const historyColumns: readonly Column<Upload>[] = [...common, ...times, client];

/** Uploads of any file. */
export const uploadColumns: readonly Column<Upload>[] = [
  ...common,
  {
    heading: 'File',
    cell: ({ upload_id, file_id }) => <IdLink to="files" id={file_id} place={upload_id} />,
  },
  ...times,
  client,
  {
    heading: 'Organisation',
    cell: ({ upload_id, organisation_id }) => (
      <IdLink to="organisations" id={organisation_id} place={upload_id} />
    ),
  },
];
