import { Hono } from 'hono';
import { uploadFields } from '../../../cli/admin/commands/list-csv.ts';
import { listUploads, readUploads } from '../../../cli/operations/uploads.ts';
import { Empty } from '../../components/list.tsx';
import { type Env, type PageContext, Refusal } from '../../http/environment.ts';
import { exportList } from '../../http/export.ts';
import { readListing } from '../../http/listing.ts';
import { showsAlready, tagOf } from '../../http/live.ts';
import { page } from '../../http/respond.tsx';
import { UploadFilterForm, UploadList } from './list-parts.tsx';
import { checkFilters, readFilters, type UploadFilters } from './selection.ts';

/** The list of uploads, which is kept up to date, and its export. */
export const listPages = new Hono<Env>();

listPages.get('/', async (c) => {
  const filters = readFilters(c);
  const checked = await checkFilters(c, filters);
  if (!checked.ok) {
    return uploadsPage(c, filters, checked.errors);
  }
  const portion = await readListing(c, (place) =>
    readUploads(c.var.console.deployment, checked.selection, place),
  );
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
    const pages = listUploads(c.var.console.deployment, checked.selection);
    return exportList(c, { name: 'uploads', pages, fields: uploadFields });
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
