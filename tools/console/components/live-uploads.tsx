import type { Child } from 'hono/jsx';
import type { Entity } from '../../operator/description/entity.ts';
import { readPage } from '../../operator/lists/read.ts';
import { uploads } from '../../operator/uploads/fields.ts';
import { namesFor } from '../../operator/uploads/names.ts';
import { type UploadSelection, uploadSource } from '../../operator/uploads/upload.ts';
import type { PageContext } from '../http/environment.ts';
import { isPoll } from '../http/guard.ts';
import { Live } from './detail.tsx';
import { entityColumns, NamesScope } from './entity.tsx';
import { List } from './list.tsx';

interface NewestRowsProps {
  readonly title: string;
  readonly entity: Entity;
  readonly rows: readonly object[];
  /** Columns to leave out, because each row has the same value. */
  readonly without?: readonly string[];
  /** Address of the whole list. Undefined: the rows are the whole list. */
  readonly all?: string | undefined;
  /** Text of an empty list: the reason, or the next step. */
  readonly none: Child;
}

/** A part of a page with the first rows of a list, and a link to the whole list. */
export function NewestRows({ title, entity, rows, without = [], all, none }: NewestRowsProps) {
  return (
    <section class="stack">
      <div class="row apart">
        <h2>{title}</h2>
        {all !== undefined && rows.length > 0 && <a href={all}>Show all</a>}
      </div>
      {rows.length === 0 ? (
        <div class="muted stack">{none}</div>
      ) : (
        <List label={title} columns={entityColumns(entity, ...without)} rows={rows} />
      )}
    </section>
  );
}

/** Number of uploads on a page that also shows other content. */
const shownUploads = 8;

/** Maximum number of uploads to read for them. One read of the index of an organisation costs seven read units. */
const maxRead = 300;

interface LiveUploadsProps extends Pick<NewestRowsProps, 'title' | 'without' | 'all'> {
  readonly selection: UploadSelection;
  /** Content above the uploads, which is kept up to date too. */
  readonly above?: Child;
  /** Text if there are no uploads. */
  readonly none?: Child;
}

/** Creates a part of a page with the newest uploads of a selection, which is kept up to date. */
export async function liveUploads(
  c: PageContext,
  { selection, above, none = 'There are no uploads to show.', ...list }: LiveUploadsProps,
) {
  const { deployment } = c.var.console;
  const { entries, isCutShort } = await readPage(deployment, uploadSource(deployment, selection), {
    limit: shownUploads,
    isTimeUp: (read) => read >= maxRead,
    isPoll: isPoll(c),
  });
  const whenEmpty = isCutShort ? 'No recent uploads.' : none;
  return (
    <NamesScope.Provider value={await namesFor(deployment, entries, isPoll(c))}>
      <Live id="with-uploads" address={c.req.path} trigger="every 3s">
        {above}
        <NewestRows {...list} entity={uploads} rows={entries} none={whenEmpty} />
        <p class="muted kept">Kept up to date.</p>
      </Live>
    </NamesScope.Provider>
  );
}
