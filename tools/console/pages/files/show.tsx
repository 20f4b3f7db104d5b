import { fileActions } from '../../../operator/files/actions.ts';
import { describeFile } from '../../../operator/files/details.ts';
import { files } from '../../../operator/files/fields.ts';
import { readPage } from '../../../operator/lists/read.ts';
import { uploadSource } from '../../../operator/uploads/upload.ts';
import { ActionButtons, availableActions } from '../../components/actions.tsx';
import { Notes } from '../../components/detail.tsx';
import { EntityDetails } from '../../components/entity.tsx';
import { liveUploads, shownUploads } from '../../components/uploads.tsx';
import { path, withQuery } from '../../http/addresses.ts';
import type { PageContext } from '../../http/environment.ts';
import { isPoll } from '../../http/guard.ts';
import { page } from '../../http/respond.tsx';

/** One file: its content, its actions, and its uploads. */
export async function showFile(c: PageContext, id: string) {
  const { deployment } = c.var.console;
  const [{ of: file, notes }, history] = await Promise.all([
    describeFile(deployment, id),
    readPage(deployment, uploadSource(deployment, { file: id }), { limit: shownUploads, isPoll: isPoll(c) }),
  ]);
  const { file_id, content, deleted_at } = file;
  const beside = (
    <>
      {content && deleted_at === undefined && (
        <a class="button" href={path('files', file_id, 'content')} download>
          Download
        </a>
      )}
      <ActionButtons actions={availableActions(c, fileActions, file)} id={file_id} />
    </>
  );
  const details = (
    <>
      <Notes of={notes} />
      <EntityDetails entity={files} of={file} />
    </>
  );
  const part = await liveUploads(c, {
    title: 'Uploads',
    rows: history.entries,
    all: withQuery('/uploads', { file: file_id }),
    none: 'There are no uploads to show.',
    above: details,
    without: ['file_id', 'organisation_id'],
  });
  return page(c, { title: file.name, beside }, part);
}
