import type { Child } from 'hono/jsx';
import { uploads } from '../../operator/uploads/fields.ts';
import { namesFor } from '../../operator/uploads/names.ts';
import type { Upload } from '../../operator/uploads/upload.ts';
import type { PageContext } from '../http/environment.ts';
import { isPoll } from '../http/guard.ts';
import { Live } from './detail.tsx';
import { entityColumns, NamesScope } from './entity.tsx';
import { Newest, type NewestProps } from './list.tsx';

/** Number of uploads on a page that also shows other content. */
export const shownUploads = 8;

/**
 * A part of a page with uploads and the actions on them, kept up to date.
 *
 * @param above content above the uploads
 * @param without columns with the same value in all rows, which are left out
 */
export async function uploadsPart(
  c: PageContext,
  rows: readonly Upload[],
  shown: Omit<NewestProps<Upload>, 'columns' | 'rows'>,
  above?: Child,
  ...without: readonly string[]
) {
  return (
    <NamesScope.Provider value={await namesFor(c.var.console.deployment, rows, isPoll(c))}>
      <Live id="with-uploads" address={c.req.path} trigger="every 3s">
        {above}
        <Newest {...shown} columns={entityColumns(uploads, ...without)} rows={rows} />
        <p class="muted kept">Kept up to date.</p>
      </Live>
    </NamesScope.Provider>
  );
}
