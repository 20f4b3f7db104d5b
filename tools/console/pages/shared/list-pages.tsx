import { Hono } from 'hono';
import type { Child } from 'hono/jsx';
import type { Deployment } from '../../../operator/deployment/deployment.ts';
import type { Pages, Portion, PortionPlace } from '../../../operator/lists.ts';
import { counted } from '../../../operator/text.ts';
import { Live } from '../../components/detail.tsx';
import { type Column, Empty, List, Segments } from '../../components/list.tsx';
import type { Env, PageContext } from '../../http/environment.ts';
import { exportList } from '../../http/export.ts';
import { addressOf, page, withQuery } from '../../http/respond.tsx';

interface Filter {
  /** Its name in the address. */
  readonly name: string;
  readonly label: string;
  /** Each is a link. */
  readonly options?: readonly string[];
  /** Whether any text can be entered. Default: if there are no options. */
  readonly isText?: true;
}

/** A list, newest first: what it shows, and how it is read. */
interface ListOf<Row, Selection> {
  /** First part of its address: `clients`. */
  readonly name: string;
  readonly noun: string;
  readonly title: string;
  /** @param rows those of the page, whose names can be read together */
  readonly columns: (
    deployment: Deployment,
    rows: readonly Row[],
  ) => readonly Column<Row>[] | Promise<readonly Column<Row>[]>;
  readonly filters: readonly Filter[];
  /**
   * What the filters select. A filter that is not set is undefined.
   *
   * @throws {OperationError} when a filter has a value that it cannot have
   */
  readonly select: (c: PageContext, given: Given) => Selection | Promise<Selection>;
  readonly read: (deployment: Deployment, selection: Selection, place: PortionPlace) => Promise<Portion<Row>>;
  readonly all: (deployment: Deployment, selection: Selection) => Pages<Row>;
  readonly csv: readonly string[];
  /** What to enter. With it, the fields are there for those who ask for them. */
  readonly help?: string;
  /** What else can be done, such as making something new. */
  readonly actions?: (given: Given) => Child;
  /** What to know while there is nothing. */
  readonly about: string;
  /** Whether its first page is kept up to date. */
  readonly isLive?: boolean;
}

type Given = Readonly<Record<string, string | undefined>>;

const rowsOnPage = 50;

/** A filter that few match must not let a page wait for the whole table: the page goes on by itself. */
const maximumReadMilliseconds = 700;

/** A list is loaded again by itself only when that reads no more than this. */
const maximumLiveRead = 2000;

/** The page of a list, with its filters, and its export with the same filters. */
export function listPages<Row extends object, Selection>(list: ListOf<Row, Selection>): Hono<Env> {
  const pages = new Hono<Env>();
  const { name, title, filters, actions } = list;
  const givenIn = (c: PageContext) =>
    Object.fromEntries(filters.map((filter) => [filter.name, c.req.query(filter.name)?.trim() || undefined]));

  pages.get('/', async (c) => {
    const { deployment, now } = c.var.console;
    const given = givenIn(c);
    const sofar = { found: numberIn(c, 'found'), read: numberIn(c, 'read') };
    const endsAt = now() + maximumReadMilliseconds;
    const portion = await list.read(deployment, await list.select(c, given), {
      after: c.req.query('after') || undefined,
      enough: Math.max(1, rowsOnPage - sofar.found),
      isTimeUp: () => now() > endsAt,
    });
    const columns = await list.columns(deployment, portion.entries);
    const beside = (
      <div class="row">
        {actions?.(given)}
        <a class="button" href={withQuery(`/${name}/+export.csv`, given)} download>
          CSV
        </a>
      </div>
    );
    return page(
      c,
      { title, beside },
      <>
        <Filters list={list} given={given} />
        <Shown c={c} list={list} columns={columns} given={given} portion={portion} sofar={sofar} />
      </>,
    );
  });

  pages.get('/+export.csv', async (c) => {
    const rows = list.all(c.var.console.deployment, await list.select(c, givenIn(c)));
    return exportList(c, { name, pages: rows, fields: list.csv });
  });
  return pages;
}

function numberIn(c: PageContext, name: string): number {
  return Math.max(0, Math.trunc(Number(c.req.query(name))) || 0);
}

interface FiltersProps {
  readonly list: { readonly name: string; readonly filters: readonly Filter[]; readonly help?: string };
  readonly given: Given;
}

/** What is chosen of few is a link; what is entered is a form that makes an address. */
function Filters({ list: { name, filters, help }, given }: FiltersProps) {
  const address = `/${name}`;
  const isEntered = ({ options, isText }: Filter) => options === undefined || isText === true;
  const fields = (
    <form method="get" action={address} class="row">
      {filters.map((filter) =>
        isEntered(filter) ? (
          <input
            name={filter.name}
            value={given[filter.name] ?? ''}
            aria-label={filter.label}
            placeholder={filter.label}
            size={15}
            autocomplete="off"
            spellcheck={false}
          />
        ) : (
          given[filter.name] !== undefined && (
            <input type="hidden" name={filter.name} value={given[filter.name]} />
          )
        ),
      )}
      <button type="submit">Filter</button>
      {help !== undefined && <span class="muted">{help}</span>}
    </form>
  );
  return (
    <search class="stack">
      <div class="row">
        {filters.map(
          ({ name: filter, label, options }) =>
            options !== undefined && (
              <Segments
                label={label}
                links={[undefined, ...options].map((option) => ({
                  text: option ?? 'all',
                  href: withQuery(address, { ...given, [filter]: option }),
                  chosen: given[filter] === option,
                }))}
              />
            ),
        )}
        {help === undefined && fields}
        {Object.values(given).some(Boolean) && <a href={address}>Clear</a>}
      </div>
      {help !== undefined && (
        <details open={filters.some((filter) => isEntered(filter) && given[filter.name] !== undefined)}>
          <summary>More filters</summary>
          {fields}
        </details>
      )}
    </search>
  );
}

interface ShownProps<Row> {
  readonly c: PageContext;
  readonly list: Pick<ListOf<Row, unknown>, 'name' | 'noun' | 'title' | 'about' | 'isLive'>;
  readonly columns: readonly Column<Row>[];
  readonly given: Given;
  readonly portion: Portion<Row>;
  /** What the parts before found and read, while this page is being filled. */
  readonly sofar: { readonly found: number; readonly read: number };
}

function Shown<Row extends object>(props: ShownProps<Row>) {
  const { c, list, columns, given, portion, sofar } = props;
  const { entries, next, read, isCutShort } = portion;
  const isFirst = !c.req.query('after');
  const isFiltered = Object.values(given).some((value) => value !== undefined);
  const isLive = Boolean(list.isLive) && isFirst && !isCutShort && read <= maximumLiveRead;
  return (
    <Live id={list.name} address={addressOf(c)} everySeconds={isLive ? 3 : undefined}>
      {entries.length === 0 && next === undefined && isFirst ? (
        <Empty title={isFiltered ? `No ${list.noun} matches.` : `There are no ${list.name} yet.`}>
          <p class="muted">{list.about}</p>
        </Empty>
      ) : (
        <List
          label={list.title}
          columns={columns}
          rows={entries}
          end={
            <End
              {...props}
              found={sofar.found + entries.length}
              read={sofar.read + read}
              isFirst={isFirst}
              isLive={isLive}
            />
          }
        />
      )}
    </Live>
  );
}

interface EndProps<Row> extends ShownProps<Row> {
  readonly found: number;
  readonly read: number;
  readonly isFirst: boolean;
  readonly isLive: boolean;
}

/** The last line of a list: how far it goes. While the page is not full, it is replaced by what comes next. */
function End<Row>({ list, columns, given, portion, found, read, isFirst, isLive }: EndProps<Row>) {
  const address = `/${list.name}`;
  const { next, isCutShort } = portion;
  const nextPage = next && withQuery(address, { ...given, after: next });
  const counts = { found: String(found), read: String(read) };
  const goesOn = isCutShort &&
    next !== undefined && {
      'hx-get': withQuery(address, { ...given, ...counts, after: next }),
      'hx-trigger': 'load',
      'hx-select': 'tbody',
      'hx-swap': 'outerHTML',
      'hx-headers': '{"x-console-live":"1"}',
    };
  return (
    <tbody {...goesOn}>
      <tr>
        <td class="text muted" colspan={columns.length}>
          <div class="row apart">
            <span role="status">{endOf(list.noun, { found, read, isCutShort, next, isLive })}</span>
            <span class="row">
              {goesOn && (
                <button type="button" data-stop hidden>
                  Stop
                </button>
              )}
              {!isFirst && <a href={withQuery(address, given)}>Newest</a>}
              {nextPage && (
                <a class="button" rel="next" href={nextPage}>
                  {isCutShort ? 'Look on' : 'Older'}
                </a>
              )}
            </span>
          </div>
        </td>
      </tr>
    </tbody>
  );
}

function endOf(
  noun: string,
  {
    found,
    read,
    isCutShort,
    next,
    isLive,
  }: Pick<EndProps<object>, 'found' | 'read' | 'isLive'> & Pick<Portion<object>, 'isCutShort' | 'next'>,
): string {
  if (isCutShort) {
    return `${counted(found, noun)} found in the newest ${counted(read, noun)}.`;
  }
  const order = next === undefined ? 'the oldest last.' : 'the newest first. There are older ones.';
  return `${counted(found, noun)}, ${order}${isLive ? ' Kept up to date.' : ''}`;
}
