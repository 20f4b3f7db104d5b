import { Hono } from 'hono';
import type { Child } from 'hono/jsx';
import type { Deployment } from '../../../operator/deployment/deployment.ts';
import type { Pages, Portion, PortionPlace } from '../../../operator/lists.ts';
import { counted } from '../../../operator/text.ts';
import { Live } from '../../components/detail.tsx';
import { Choice, Field } from '../../components/form.tsx';
import { type Column, Empty, Filters, List, Pager } from '../../components/list.tsx';
import type { Env, PageContext } from '../../http/environment.ts';
import { exportList } from '../../http/export.ts';
import { addressOf, page, withQuery } from '../../http/respond.tsx';

interface Filter {
  /** Its name in the address. */
  readonly name: string;
  readonly label: string;
  readonly placeholder?: string;
  /** Default: any text. */
  readonly options?: readonly string[];
}

/** A list, newest first: what it shows, and how it is read. */
interface ListOf<Row, Selection> {
  /** First part of its address: `clients`. */
  readonly name: string;
  readonly noun: string;
  readonly title: string;
  readonly columns: readonly Column<Row>[];
  readonly filters: readonly Filter[];
  /**
   * What the filters select. A filter that is not set is undefined.
   *
   * @throws {OperationError} when a filter has a value that it cannot have
   */
  readonly select: (
    c: PageContext,
    given: Readonly<Record<string, string | undefined>>,
  ) => Selection | Promise<Selection>;
  readonly read: (deployment: Deployment, selection: Selection, place: PortionPlace) => Promise<Portion<Row>>;
  readonly all: (deployment: Deployment, selection: Selection) => Pages<Row>;
  readonly csv: readonly string[];
  /** How something new is made, where the console can. */
  readonly create?: { readonly address: string; readonly label: string };
  /** What to know while there is nothing. */
  readonly about: string;
  /** Whether its first page is kept up to date. */
  readonly isLive?: boolean;
  /** What stands below the list. */
  readonly more?: Child;
}

const rowsOnPage = 50;

/** A filter that few match must not let a page wait for the whole table. */
const maximumReadMilliseconds = 700;

/** A list is loaded again by itself only when that reads no more than this. */
const maximumLiveRead = 2000;

/** The page of a list, with its filters, and its export with the same filters. */
export function listPages<Row extends object, Selection>(list: ListOf<Row, Selection>): Hono<Env> {
  const pages = new Hono<Env>();
  const { name, title, filters, create } = list;
  const givenIn = (c: PageContext) =>
    Object.fromEntries(filters.map((filter) => [filter.name, c.req.query(filter.name)?.trim() || undefined]));

  pages.get('/', async (c) => {
    const given = givenIn(c);
    const found = await readPage(c, list, given);
    return page(
      c,
      { title },
      <>
        <div class="bar">
          <Filters action={`/${name}`} given={given}>
            {filters.map(({ options, ...filter }) =>
              options === undefined ? <Field {...filter} /> : <Choice {...filter} options={options} />,
            )}
          </Filters>
          {create !== undefined && (
            <p>
              <a
                class="button primary"
                href={withQuery(create.address, { organisation: given.organisation })}
              >
                {create.label}
              </a>
            </p>
          )}
        </div>
        <Shown c={c} list={list} given={given} portion={found} />
        {list.more}
      </>,
    );
  });

  pages.get('/+export.csv', async (c) => {
    const rows = list.all(c.var.console.deployment, await list.select(c, givenIn(c)));
    return exportList(c, { name, pages: rows, fields: list.csv });
  });
  return pages;
}

type Given = Readonly<Record<string, string | undefined>>;

async function readPage<Row, Selection>(c: PageContext, list: ListOf<Row, Selection>, given: Given) {
  const { deployment, now } = c.var.console;
  const endsAt = now() + maximumReadMilliseconds;
  return list.read(deployment, await list.select(c, given), {
    after: c.req.query('after') || undefined,
    enough: rowsOnPage,
    isTimeUp: () => now() > endsAt,
  });
}

function Shown<Row extends object, Selection>(props: {
  readonly c: PageContext;
  readonly list: ListOf<Row, Selection>;
  readonly given: Given;
  readonly portion: Portion<Row>;
}) {
  const { c, list, given, portion } = props;
  const { entries, next, read, isCutShort } = portion;
  const address = `/${list.name}`;
  const isFirst = !c.req.query('after');
  const isFiltered = Object.values(given).some((value) => value !== undefined);
  const isLive = Boolean(list.isLive) && isFirst && !isCutShort && read <= maximumLiveRead;
  return (
    <Live id={list.name} address={addressOf(c)} everySeconds={isLive ? 3 : undefined}>
      {entries.length === 0 && next === undefined && isFirst ? (
        <Empty title={isFiltered ? `No ${list.noun} matches.` : `There are no ${list.name} yet.`}>
          <p>{list.about}</p>
        </Empty>
      ) : (
        <>
          <p class="hint" role="status">
            {summaryOf(list.noun, portion)} {isLive && 'This list is kept up to date.'}
          </p>
          {entries.length > 0 && <List label={list.title} columns={list.columns} rows={entries} />}
          <Pager
            first={isFirst ? undefined : withQuery(address, given)}
            next={next === undefined ? undefined : withQuery(address, { ...given, after: next })}
          />
          <p class="hint">
            <a href={withQuery(`${address}/+export.csv`, given)} download>
              Download all of them as CSV
            </a>
          </p>
        </>
      )}
    </Live>
  );
}

/** Says what a list shows, in which order, and how far it goes. */
function summaryOf(noun: string, { entries, next, isCutShort, read }: Portion<object>): string {
  const found = counted(entries.length, noun);
  if (isCutShort) {
    return `${found} found so far, newest first. Few match, so the search stopped after ${counted(read, noun)}: Next goes on from there.`;
  }
  return `${found}, newest first.${next === undefined ? '' : ' There are older ones.'}`;
}
