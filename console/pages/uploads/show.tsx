import { Hono } from 'hono';
import {
  formWarning,
  isForm,
  readTypeOrReason,
  type TypeOrReason,
} from '../../../cli/operations/content-type.ts';
import { mayBeUnderWay } from '../../../cli/operations/outstanding-uploads.ts';
import { getUpload, type Upload } from '../../../cli/operations/uploads.ts';
import { Details, Live, Part, Problem, Timeline } from '../../components/detail.tsx';
import { Bytes, Id, Text, Time } from '../../components/text.tsx';
import type { Env } from '../../http/environment.ts';
import { showsAlready, tagOf } from '../../http/live.ts';
import { page, path } from '../../http/respond.tsx';
import { IdLink } from '../shared/links.tsx';
import { lifeOf } from './life.tsx';
import { UploadStatus } from './upload-parts.tsx';

/** One upload, live until it ends. */
export const showPages = new Hono<Env>();

showPages.get('/:id', async (c) => {
  const { deployment, now } = c.var.console;
  const upload = await getUpload(deployment, c.req.param('id'));
  const mayArrive = mayBeUnderWay(upload, now());
  const tag = tagOf([upload, mayArrive]);
  if (showsAlready(c, tag)) {
    return c.body(null, 204);
  }
  const type = upload.state === 'completed' ? await readTypeOrReason(deployment, upload) : {};
  const content = <UploadContent upload={upload} type={type} now={now()} />;
  const isLive = upload.state === 'issued' || mayArrive;
  return page(
    c,
    { title: `Upload ${upload.upload_id}` },
    isLive ? (
      <Live
        id="upload"
        address={path('uploads', upload.upload_id)}
        everySeconds={upload.state === 'issued' ? 2 : 10}
        seen={tag}
      >
        {content}
        <p class="hint">This page is kept up to date until the upload ends.</p>
      </Live>
    ) : (
      <div id="upload">{content}</div>
    ),
  );
});

function UploadContent(props: {
  readonly upload: Upload;
  readonly type: TypeOrReason;
  readonly now: number;
}) {
  const { upload, type, now } = props;
  const { upload_id, state } = upload;
  return (
    <>
      <p role="status">
        <UploadStatus upload={upload} />
      </p>
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
      {(state === 'issued' || state === 'expired') && (
        <div class="buttons">
          <a class="button" id="cancel" href={path('uploads', upload_id, 'cancel')}>
            Cancel the upload
          </a>
        </div>
      )}
      <Part title="Life">
        <Timeline events={lifeOf(upload, now)} />
      </Part>
      <Part title="Details">
        <UploadDetails upload={upload} type={type} />
      </Part>
    </>
  );
}

function UploadDetails({ upload, type }: { readonly upload: Upload; readonly type: TypeOrReason }) {
  const { upload_id } = upload;
  const completed = upload.state === 'completed' ? upload : undefined;
  return (
    <Details
      rows={[
        ['Upload ID', <Id of={upload_id} copy />],
        ['File', <IdLink to="files" id={upload.file_id} place={upload_id} />],
        ['Organisation', <IdLink to="organisations" id={upload.organisation_id} place={upload_id} />],
        ['Client', <IdLink to="clients" id={upload.client_id} place={upload_id} />],
        ['Issued', <Time of={upload.issued_at} />],
        ['URL expires', <Time of={upload.expires_at} />],
        ['Request', upload.request_id && <Id of={upload.request_id} copy />],
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
