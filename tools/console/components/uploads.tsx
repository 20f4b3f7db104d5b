import type { Child } from 'hono/jsx';
import { uploads } from '../../operator/uploads/fields.ts';
import { namesFor } from '../../operator/uploads/names.ts';
import { readUploads, type Upload, type UploadSelection, wordOf } from '../../operator/uploads/upload.ts';
import { withQuery } from '../http/addresses.ts';
import type { PageContext } from '../http/environment.ts';
import { Live } from './detail.tsx';
import { entityColumns, NamesScope } from './entity.tsx';
import { Newest, type NewestProps } from './list.tsx';

/** The number of uploads on a page that shows more than uploads. */
export const shownUploads = 8;

/**
 * A part of a page with uploads and what follows from them, kept up to date. Its address says which uploads are shown.
 *
 * @param above what stands above the uploads
 * @param without columns that all rows share
 */
export async function uploadsPart(
  { req, var: { console } }: PageContext,
  rows: readonly Upload[],
  shown: Omit<NewestProps<Upload>, 'columns' | 'rows'>,
  above?: Child,
  ...without: readonly string[]
) {
  const marks = rows.map(markOf).join(' ') || 'nothing';
  return (
    <NamesScope.Provider value={await namesFor(console.deployment, rows)}>
      <Live id="with-uploads" address={withQuery(req.path, { shown: marks })} trigger="every 3s">
        {above}
        <Newest {...shown} columns={entityColumns(uploads, ...without)} rows={rows} />
        <p class="muted kept">Kept up to date.</p>
      </Live>
    </NamesScope.Provider>
  );
}

/**
 * Whether a page asks for newer uploads and there are none. To find out takes one page of the index and one read of the items:
 * in DynamoDB, a Query and a BatchGetItem. For all organisations, it is a Query for each, and the search for them.
 */
export async function showsNewest(c: PageContext, selection: UploadSelection): Promise<boolean> {
  const shown = c.req.query('shown');
  if (shown === undefined) {
    return false;
  }
  const { deployment } = c.var.console;
  const { entries } = await readUploads(deployment, selection, {
    enough: shownUploads,
    isTimeUp: () => true,
  });
  return entries.every((upload) => shown.includes(markOf(upload)));
}

/** The part of an upload that changes. */
function markOf(upload: Upload): string {
  return `${upload.upload_id}.${wordOf(upload)}`;
}
