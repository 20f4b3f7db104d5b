import type { PropsWithChildren } from 'hono/jsx';
import { useRequestContext } from 'hono/jsx-renderer';
import type { Deployment } from '../../operator/deployment/deployment.ts';
import { uploads } from '../../operator/uploads/fields.ts';
import { namesFor } from '../../operator/uploads/names.ts';
import { readUploads, type Upload, type UploadSelection, wordOf } from '../../operator/uploads/upload.ts';
import { withQuery } from '../http/addresses.ts';
import type { Env, PageContext } from '../http/environment.ts';
import { Live } from './detail.tsx';
import { entityColumns, NamesScope } from './entity.tsx';
import { Newest, type NewestProps } from './list.tsx';

/** The number of uploads on a page that shows more than uploads. */
export const shownUploads = 8;

/** A part of a page with uploads, and the names of their files and clients. @param without columns that all rows share */
export async function uploadsPart(
  deployment: Deployment,
  rows: readonly Upload[],
  shown: Omit<NewestProps<Upload>, 'columns' | 'rows'>,
  ...without: readonly string[]
) {
  return (
    <NamesScope.Provider value={await namesFor(deployment, rows)}>
      <Newest {...shown} columns={entityColumns(uploads, ...without)} rows={rows} />
    </NamesScope.Provider>
  );
}

/** A part of a page that follows from some uploads, and is kept up to date with them. Its address says what is shown. */
export function WithUploads(props: PropsWithChildren<{ readonly uploads: readonly Upload[] }>) {
  const { req } = useRequestContext<Env>();
  const shown = props.uploads.map(markOf).join(' ') || 'nothing';
  return (
    <Live id="with-uploads" address={withQuery(req.path, { shown })} trigger="every 3s">
      {props.children}
      <p class="muted kept">Kept up to date.</p>
    </Live>
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
