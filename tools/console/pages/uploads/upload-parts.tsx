import type { Deployment } from '../../../operator/deployment/deployment.ts';
import { formWarning, isForm, type TypeOrReason } from '../../../operator/files/content-type.ts';
import { formatSeconds } from '../../../operator/text.ts';
import { namesFor } from '../../../operator/uploads/names.ts';
import type { Upload } from '../../../operator/uploads/upload.ts';
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

/** How long an upload took from the issue of its URL, or when that expires. S3 says when in whole seconds. */
function Took({ upload }: { readonly upload: Upload }) {
  if (upload.state === 'completed') {
    const seconds = (Date.parse(upload.completed_at) - Date.parse(upload.issued_at)) / 1000;
    return <>{seconds < 1 ? '< 1 s' : formatSeconds(seconds)}</>;
  }
  return upload.state === 'issued' ? (
    <>
      expires <Time of={upload.expires_at} />
    </>
  ) : (
    <None />
  );
}

/**
 * The columns of a list of uploads, with the names of their files and clients.
 *
 * @param of whose uploads they all are: what each row would repeat is left out
 */
export async function uploadColumns(
  deployment: Deployment,
  uploads: readonly Upload[],
  of?: 'file' | 'client',
): Promise<readonly Column<Upload>[]> {
  const { files, clients } = await namesFor(deployment, uploads);
  const columns: readonly Column<Upload>[] = [
    { heading: 'State', cell: (upload) => <UploadStatus upload={upload} /> },
    {
      heading: of === 'file' ? 'Upload' : 'File',
      cell: ({ upload_id, file_id, organisation_id }) => (
        <>
          <MainLink
            href={path('uploads', upload_id)}
            id={`upload-${upload_id}`}
            of={of === 'file' ? shortId(upload_id) : (files.get(file_id) ?? file_id)}
          />{' '}
          {of === 'file' && <CopyButton text={upload_id} what={upload_id} isSmall />}
          {of === undefined && (
            <span class="muted wide-only">
              <Text of={organisation_id} />
            </span>
          )}
        </>
      ),
    },
    {
      heading: 'Client',
      class: 'wide-only',
      cell: ({ client_id }) => <IdLink to="clients" id={client_id} name={clients.get(client_id)} />,
    },
    {
      heading: 'Size',
      class: 'right wide-only',
      cell: (upload) => <Bytes of={upload.state === 'completed' ? upload.size : undefined} short />,
    },
    { heading: 'Issued', cell: (upload) => <Time of={upload.issued_at} /> },
    { heading: 'Took', class: 'wide-only', cell: (upload) => <Took upload={upload} /> },
    {
      heading: 'Upload ID',
      class: 'wide-only',
      cell: ({ upload_id }) => <Id of={upload_id} short copy />,
    },
  ];
  const known = of && { file: 'Upload ID', client: 'Client' }[of];
  return columns.filter(({ heading }) => heading !== known);
}
