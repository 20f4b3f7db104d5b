import type { Portion } from '../../../cli/operations/newest-first.ts';
import { type Upload, uploadStates } from '../../../cli/operations/uploads.ts';
import { counted } from '../../../cli/text.ts';
import { Live } from '../../components/detail.tsx';
import { Choice, Field } from '../../components/form.tsx';
import { Empty, Exports, Filters, List, ListSummary, Pager } from '../../components/list.tsx';
import type { PageContext } from '../../http/environment.ts';
import { changed } from '../../http/listing.ts';
import { addressOf, withQuery } from '../../http/respond.tsx';
import type { UploadFilters } from './selection.ts';
import { uploadColumns } from './upload-parts.tsx';

/** A list is loaded again by itself only when that reads no more than this. */
const maximumLiveRead = 2000;

const refreshSeconds = 3;

/** The filters of a list of uploads. */
export function UploadFilterForm({
  given,
  errors,
}: {
  readonly given: UploadFilters;
  readonly errors: Readonly<Record<string, string>>;
}) {
  return (
    <Filters action="/uploads">
      <Choice
        name="state"
        label="State"
        value={given.state}
        error={errors.state}
        options={[
          { value: '', label: 'any' },
          ...uploadStates.map((state) => ({ value: state, label: state })),
        ]}
      />
      <Field name="file" label="File ID" value={given.file} error={errors.file} />
      <Field name="client" label="Client ID" value={given.client} error={errors.client} />
      <Field
        name="organisation"
        label="Organisation"
        value={given.organisation}
        error={errors.organisation}
      />
      <Field
        name="since"
        label="Issued from (UTC)"
        placeholder="2h, or 2026-01-31T12:00"
        value={given.since}
        error={errors.since}
      />
      <Field
        name="until"
        label="Issued before (UTC)"
        placeholder="1h, or 2026-01-31"
        value={given.until}
        error={errors.until}
      />
    </Filters>
  );
}

/** One page of uploads. The first page is live, unless that would read too much each time. */
export function UploadList({
  c,
  portion,
  filters,
  tag,
}: {
  readonly c: PageContext;
  readonly portion: Portion<Upload>;
  readonly filters: UploadFilters;
  readonly tag: string;
}) {
  const isFirst = !c.req.query('before');
  const isLive = isFirst && !portion.isCutShort && portion.read <= maximumLiveRead;
  const list = <UploadTable c={c} portion={portion} filters={filters} isFirst={isFirst} isLive={isLive} />;
  return isLive ? (
    <Live id="uploads" address={addressOf(c)} everySeconds={refreshSeconds} seen={tag}>
      {list}
    </Live>
  ) : (
    <div id="uploads">{list}</div>
  );
}

interface TableProps {
  readonly c: PageContext;
  readonly portion: Portion<Upload>;
  readonly filters: UploadFilters;
  readonly isFirst: boolean;
  readonly isLive: boolean;
}

function UploadTable({ c, portion, filters, isFirst, isLive }: TableProps) {
  const { entries, next } = portion;
  if (entries.length === 0 && next === undefined) {
    return <NoUploads isFiltered={Object.values(filters).some((value) => value !== '')} isFirst={isFirst} />;
  }
  return (
    <>
      <ListSummary>
        {summaryOf(portion, isFirst)} {isLive && 'This list is kept up to date.'}
      </ListSummary>
      {entries.length > 0 && <List label="Uploads" columns={uploadColumns} rows={entries} />}
      <Pager
        first={isFirst ? undefined : changed(c, { before: undefined })}
        next={next === undefined ? undefined : changed(c, { before: next })}
      />
      <Exports
        csv={withQuery('/uploads/export.csv', { ...filters })}
        json={withQuery('/uploads/export.json', { ...filters })}
      />
    </>
  );
}

function summaryOf({ entries, next, isCutShort, read }: Portion<Upload>, isFirst: boolean): string {
  const found = counted(entries.length, 'upload');
  if (isCutShort) {
    return `${found} found so far, newest first. Few match, so the search stopped after ${counted(read, 'upload')}: Next goes on from there.`;
  }
  const which = isFirst ? 'newest first' : 'newest first, from an older page';
  const effort = read > maximumLiveRead ? ` ${counted(read, 'item')} were read to find them.` : '';
  return `${found}, ${which}.${next === undefined ? '' : ' There are older ones.'}${effort}`;
}

function NoUploads({ isFiltered, isFirst }: { readonly isFiltered: boolean; readonly isFirst: boolean }) {
  if (!isFirst) {
    return <Empty title="There are no older uploads." />;
  }
  return isFiltered ? (
    <Empty title="No upload matches.">
      <p>
        <a href="/uploads">Show all uploads</a>
      </p>
    </Empty>
  ) : (
    <Empty title="There are no uploads yet.">
      <p>An upload begins when a client asks for an upload URL of a file. It appears here by itself.</p>
    </Empty>
  );
}
