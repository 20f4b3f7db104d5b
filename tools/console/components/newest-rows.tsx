import type { Child } from 'hono/jsx';
import type { Entity } from '../../operator/description/entity.ts';
import { uploads } from '../../operator/uploads/fields.ts';
import { namesFor } from '../../operator/uploads/names.ts';
import type { Upload } from '../../operator/uploads/upload.ts';
import type { PageContext } from '../http/environment.ts';
import { isPoll } from '../http/guard.ts';
import { Live } from './detail.tsx';
import { entityColumns, NamesScope } from './entity.tsx';
import { List } from './list.tsx';

/** Number of uploads on a page that also shows other content. */
export const shownUploads = 8;

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

/** Uploads to show, with their place on the page. */
interface LiveUploadsProps extends Omit<NewestRowsProps, 'entity'> {
  readonly rows: readonly Upload[];
  /** Content above the uploads, which is kept up to date too. */
  readonly above?: Child;
}

/** Creates a part of a page with uploads, which is kept up to date. */
export async function liveUploads(c: PageContext, { above, ...list }: LiveUploadsProps) {
  const names = await namesFor(c.var.console.deployment, list.rows, isPoll(c));
  return (
    <NamesScope.Provider value={names}>
      <Live id="with-uploads" address={c.req.path} trigger="every 3s">
        {above}
        <NewestRows {...list} entity={uploads} />
        <p class="muted kept">Kept up to date.</p>
      </Live>
    </NamesScope.Provider>
  );
}
