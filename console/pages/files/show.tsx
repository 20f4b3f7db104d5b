import { Hono } from 'hono';
import { readTypeOrReason } from '../../../cli/operations/content-type.ts';
import { type File, getFile } from '../../../cli/operations/files.ts';
import { countOutstanding, type Outstanding } from '../../../cli/operations/outstanding-uploads.ts';
import { readUploads } from '../../../cli/operations/uploads.ts';
import { counted } from '../../../cli/text.ts';
import { Consequences, Details, Part } from '../../components/detail.tsx';
import { Switch } from '../../components/form.tsx';
import { Id, Time } from '../../components/text.tsx';
import type { Env, PageContext } from '../../http/environment.ts';
import { page, path } from '../../http/respond.tsx';
import { IdLink } from '../shared/links.tsx';
import { Content, History } from './content-parts.tsx';
import { FileStatus } from './file-parts.tsx';

/** One file: its content, its sync switch and its uploads. */
export const showPages = new Hono<Env>();

/** So many of the newest uploads are on the page of their file. */
const shownUploads = 20;

showPages.get('/:id', async (c) => {
  const { deployment } = c.var.console;
  const file = await getFile(deployment, c.req.param('id'));
  const { file_id, content } = file;
  const [type, outstanding, history] = await Promise.all([
    content === undefined ? {} : readTypeOrReason(deployment, content),
    file.sync_enabled || file.deleted_at !== undefined
      ? undefined
      : countOutstanding(deployment, file_id, c.var.console.now()),
    readHistory(c, file_id),
  ]);
  return page(
    c,
    { title: file.name },
    <>
      <Details
        rows={[
          ['File ID', <Id of={file_id} copy />],
          ['Organisation', <IdLink to="organisations" id={file.organisation_id} />],
          ['Syncing', <SyncState file={file} />],
          ['Created', <Time of={file.created_at} />],
          ['Updated', <Time of={file.updated_at} />],
          ['Deleted', file.deleted_at && <Time of={file.deleted_at} />],
          ['Kept until', file.delete_after && <Time of={file.delete_after} />],
        ]}
      />
      {outstanding !== undefined && <StillOpen fileId={file_id} outstanding={outstanding} />}
      <FileActions file={file} />
      <Part title="Content">
        <Content file={file} type={type} />
      </Part>
      <Part title="Uploads">
        <History fileId={file_id} uploads={history.entries} hasMore={history.next !== undefined} />
      </Part>
    </>,
  );
});

function readHistory(c: PageContext, fileId: string) {
  return readUploads(c.var.console.deployment, { fileId }, { enough: shownUploads });
}

function SyncState({ file }: { readonly file: File }) {
  if (file.deleted_at !== undefined) {
    return <FileStatus file={file} />;
  }
  return (
    <Switch
      action={path('files', file.file_id, 'sync')}
      label="Clients can sync into this file"
      on={file.sync_enabled}
      fields={{ enabled: String(!file.sync_enabled) }}
    />
  );
}

/** The URLs that were issued before syncing was disabled. */
function StillOpen({ fileId, outstanding }: { readonly fileId: string; readonly outstanding: Outstanding }) {
  const { outstanding: count, until, recently_expired } = outstanding;
  if (count + recently_expired === 0) {
    return null;
  }
  return (
    <Consequences>
      {count > 0 && (
        <p>
          Syncing is disabled, but {counted(count, 'upload URL')} issued before{' '}
          {count === 1 ? 'works' : 'work'} until <Time of={until} /> at the latest.
        </p>
      )}
      {recently_expired > 0 && (
        <p>
          {counted(recently_expired, 'upload URL')} expired unused in the last 24 hours. A PUT that began in
          time may still be under way, and its content would be taken.
        </p>
      )}
      <p>
        <a class="button" href={path('files', fileId, 'sync', 'close')}>
          Close the upload URLs
        </a>
      </p>
    </Consequences>
  );
}

function FileActions({ file }: { readonly file: File }) {
  const to = (...rest: readonly string[]) => path('files', file.file_id, ...rest);
  if (file.delete_after !== undefined) {
    return null;
  }
  if (file.deleted_at !== undefined) {
    return (
      <div class="buttons">
        <a class="button" href={to('delete')}>
          Complete the deletion
        </a>
      </div>
    );
  }
  return (
    <div class="buttons">
      <a class="button" href={to('name')}>
        Rename
      </a>
      {file.sync_enabled && (
        <a class="button" href={to('sync', 'close')}>
          Disable syncing and close upload URLs
        </a>
      )}
      <a class="button risky" href={to('delete')}>
        Delete
      </a>
    </div>
  );
}
