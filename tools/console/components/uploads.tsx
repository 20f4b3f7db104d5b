import type { Child } from 'hono/jsx';
import { uploads } from '../../operator/uploads/fields.ts';
import { namesFor } from '../../operator/uploads/names.ts';
import type { Upload } from '../../operator/uploads/upload.ts';
import type { PageContext } from '../http/environment.ts';
import { isPoll } from '../http/guard.ts';
import { Live } from './detail.tsx';
import { entityColumns, NamesScope } from './entity.tsx';
import { NewestRows, type NewestRowsProps } from './list.tsx';

/** Number of uploads on a page that also shows other content. */
export const shownUploads = 8;

/** Uploads to show, with their place on the page. */
interface LiveUploadsProps extends Omit<NewestRowsProps<Upload>, 'columns'> {
  /** Content above the uploads, which is kept up to date too. */
  readonly above?: Child;
  /** Columns to leave out, because each row has the same value. */
  readonly without?: readonly string[];
}

/** Creates a part of a page with uploads, which is kept up to date. */
export async function liveUploads(c: PageContext, { above, without = [], ...list }: LiveUploadsProps) {
  const names = await namesFor(c.var.console.deployment, list.rows, isPoll(c));
  return (
    <NamesScope.Provider value={names}>
      <Live id="with-uploads" address={c.req.path} trigger="every 3s">
        {above}
        <NewestRows {...list} columns={entityColumns(uploads, ...without)} />
        <p class="muted kept">Kept up to date.</p>
      </Live>
    </NamesScope.Provider>
  );
}
