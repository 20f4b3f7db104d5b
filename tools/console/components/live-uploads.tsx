import type { Child } from 'hono/jsx';
import { readPage } from '../../operator/lists/read.ts';
import { uploads } from '../../operator/uploads/fields.ts';
import { namesFor } from '../../operator/uploads/names.ts';
import { type UploadSelection, uploadSource } from '../../operator/uploads/upload.ts';
import type { PageContext } from '../http/environment.ts';
import { isPoll } from '../http/guard.ts';
import { Live } from './detail.tsx';
import { entityColumns, NamesScope } from './entity.tsx';
import { List } from './list.tsx';

/** Number of uploads on a page that also shows other content. */
const shownUploads = 8;

/** Maximum number of uploads to read for them. One read of the index of an organisation costs seven read units. */
const maxRead = 300;

interface LiveUploadsProps {
  readonly title: string;
  readonly selection: UploadSelection;
  /** Columns to leave out, because each row has the same value. */
  readonly without?: readonly string[];
  /** Address of the whole list. */
  readonly all: string;
  /** Content above the uploads, which is kept up to date too. */
  readonly above?: Child;
  /** Text if there are no uploads: the reason, or the next step. */
  readonly none?: Child;
}

/** Creates a part of a page with the newest uploads of a selection, which is kept up to date. */
export async function liveUploads(
  c: PageContext,
  { title, selection, without = [], all, above, none = 'There are no uploads to show.' }: LiveUploadsProps,
) {
  const { deployment } = c.var.console;
  const { entries, isCutShort } = await readPage(deployment, uploadSource(deployment, selection), {
    limit: shownUploads,
    isTimeUp: (read) => read >= maxRead,
    isPoll: isPoll(c),
  });
  return (
    <NamesScope.Provider value={await namesFor(deployment, entries)}>
      <Live id="with-uploads" address={c.req.path} trigger="every 3s">
        {above}
        <section class="stack">
          <div class="row apart">
            <h2>{title}</h2>
            {entries.length > 0 && <a href={all}>Show all</a>}
          </div>
          {entries.length === 0 ? (
            <div class="muted stack">{isCutShort ? 'No recent uploads.' : none}</div>
          ) : (
            <List label={title} columns={entityColumns(uploads, ...without)} rows={entries} />
          )}
        </section>
        <p class="muted kept">Kept up to date.</p>
      </Live>
    </NamesScope.Provider>
  );
}
