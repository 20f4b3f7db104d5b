import { Hono } from 'hono';
import { uploadFields } from '../../../cli/admin/commands/list-csv.ts';
import { readUploads, type UploadPortion } from '../../../cli/operations/upload-portion.ts';
import { listUploads, type UploadSelection } from '../../../cli/operations/uploads.ts';
import { sortOnDisk } from '../../../cli/terminal/sort-on-disk.ts';
import { Empty } from '../../components/list.tsx';
import { type Env, type PageContext, Refusal } from '../../http/environment.ts';
import { exportList } from '../../http/export.ts';
import { showsAlready, tagOf } from '../../http/live.ts';
import { page } from '../../http/respond.tsx';
import { UploadFilterForm, UploadList } from './list-parts.tsx';
import { checkFilters, readFilters, type UploadFilters } from './selection.ts';

/** The list of uploads, which is kept up to date, and its export. */
export const listPages = new Hono<Env>();

const rowsOnPage = 50;

/** The first page must not wait for a whole index. */
const maximumReadMilliseconds = 700;

listPages.get('/', async (c) => {
  const filters = readFilters(c);
  const checked = await checkFilters(c, filters);
  if (!checked.ok) {
    return uploadsPage(c, filters, checked.errors);
  }
  const portion = await readPortion(c, checked.selection);
  const tag = tagOf(portion.entries);
  if (showsAlready(c, tag)) {
    return c.body(null, 204);
  }
  return uploadsPage(c, filters, {}, <UploadList c={c} portion={portion} filters={filters} tag={tag} />);
});

for (const file of ['/export.csv', '/export.json']) {
  listPages.get(file, async (c) => {
    const checked = await checkFilters(c, readFilters(c));
    if (!checked.ok) {
      throw new Refusal(400, 'That is not possible', Object.values(checked.errors).join(' '));
    }
    const pages = listUploads(c.var.console.deployment, checked.selection, { sort: sortOnDisk() });
    return exportList(c, { name: 'uploads', pages, fields: uploadFields });
  });
}

function readPortion(c: PageContext, selection: UploadSelection): Promise<UploadPortion> {
  const { deployment, now } = c.var.console;
  const endsAt = now() + maximumReadMilliseconds;
  return readUploads(deployment, selection, {
    before: c.req.query('before') || undefined,
    enough: rowsOnPage,
    isTimeUp: () => now() > endsAt,
    now: now(),
  });
}

function uploadsPage(
  c: PageContext,
  filters: UploadFilters,
  errors: Readonly<Record<string, string>>,
  list?: unknown,
) {
  const isWrong = Object.keys(errors).length > 0;
  return page(
    c,
    { title: 'Uploads', status: isWrong ? 422 : 200 },
    <>
      <UploadFilterForm given={filters} errors={errors} />
      {isWrong ? <Empty title="Correct the filters to see uploads." /> : list}
      <p>
        <a href="/uploads/replay">Events in the dead-letter queue</a>
      </p>
    </>,
  );
}
