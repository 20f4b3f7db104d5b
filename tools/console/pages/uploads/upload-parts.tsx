import { formWarning, isForm, type TypeOrReason } from '../../../operator/content-type.ts';
import type { Deployment } from '../../../operator/deployment/deployment.ts';
import { type Names, namesFor } from '../../../operator/names.ts';
import { formatSeconds } from '../../../operator/text.ts';
import type { Upload } from '../../../operator/uploads.ts';
import { Problem } from '../../components/detail.tsx';
import { type Column, MainLink } from '../../components/list.tsx';
import { Bytes, CopyButton, Id, None, shortId, Tag, Text, Time, type Tone } from '../../components/text.tsx';
import { path } from '../../http/respond.tsx';
import { IdLink } from '../shared/links.tsx';

/** Green: there is content. Blue: it may come. Amber: it did not come. The others are over. */
const tones: Readonly<Record<string, Tone>> = { issued: 'info', completed: 'good', expired: 'warning' };

/** The state of an upload in one word. What became of its content says more than that it arrived. */
export function UploadStatus({ upload }: { readonly upload: Upload }) {
  const { state, superseded_at, deleted_at } = upload;
  const ended = deleted_at !== undefined ? 'deleted' : superseded_at !== undefined ? 'superseded' : undefined;
  const word = ended ?? state;
  return <Tag tone={tones[word] ?? 'plain'}>{word}</Tag>;
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
        <p class="muted">
          <Text of={reason} />
        </p>
      )}
    </>
  );
}

/** How long an upload took from the issue of its URL, or when that expires. */
function Took({ upload }: { readonly upload: Upload }) {
  if (upload.state === 'completed') {
    return <>{formatSeconds((Date.parse(upload.completed_at) - Date.parse(upload.issued_at)) / 1000)}</>;
  }
  return upload.state === 'issued' ? (
    <>
      expires <Time of={upload.expires_at} />
    </>
  ) : (
    <None />
  );
}

const size: Column<Upload> = {
  heading: 'Size',
  class: 'right wide-only',
  cell: (upload) => <Bytes of={upload.state === 'completed' ? upload.size : undefined} short />,
};

const times: readonly Column<Upload>[] = [
  { heading: 'Issued', cell: (upload) => <Time of={upload.issued_at} /> },
  { heading: 'Took', class: 'wide-only', cell: (upload) => <Took upload={upload} /> },
];

const state: Column<Upload> = { heading: 'State', cell: (upload) => <UploadStatus upload={upload} /> };

const clientOf = ({ clients }: Names): Column<Upload> => ({
  heading: 'Client',
  class: 'wide-only',
  cell: ({ client_id }) => <IdLink to="clients" id={client_id} name={clients.get(client_id)} />,
});

/** Uploads of any file, with the names of their files and clients. */
export async function uploadColumns(
  deployment: Deployment,
  uploads: readonly Upload[],
): Promise<readonly Column<Upload>[]> {
  const names = await namesFor(deployment, uploads);
  return [
    state,
    {
      heading: 'File',
      cell: ({ upload_id, file_id, organisation_id }) => (
        <>
          <MainLink
            href={path('uploads', upload_id)}
            id={`upload-${upload_id}`}
            of={names.files.get(file_id) ?? file_id}
          />{' '}
          <span class="muted wide-only">
            <Text of={organisation_id} />
          </span>
        </>
      ),
    },
    clientOf(names),
    size,
    ...times,
    {
      heading: 'Upload',
      class: 'wide-only',
      cell: ({ upload_id }) => <Id of={upload_id} short copy />,
    },
  ];
}

/** The uploads of one file. */
export async function historyColumns(
  deployment: Deployment,
  uploads: readonly Upload[],
): Promise<readonly Column<Upload>[]> {
  const names = await namesFor(deployment, uploads);
  return [
    state,
    {
      heading: 'Upload',
      cell: ({ upload_id }) => (
        <>
          <a class="main" href={path('uploads', upload_id)} id={`upload-${upload_id}`}>
            <code title={upload_id}>{shortId(upload_id)}</code>
          </a>
          <CopyButton text={upload_id} what={upload_id} isSmall />
        </>
      ),
    },
    clientOf(names),
    size,
    ...times,
  ];
}
