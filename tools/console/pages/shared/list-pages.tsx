import { Hono } from 'hono';
import type { Child } from 'hono/jsx';
import type { Deployment } from '../../../operator/deployment/deployment.ts';
import type { Pages, Portion, PortionPlace } from '../../../operator/lists/list.ts';
import { counted } from '../../../operator/text.ts';
import { Live, liveHeaders } from '../../components/detail.tsx';
import { type Column, Empty, List, Segments } from '../../components/list.tsx';
import { timeLimit } from '../../http/clock.ts';
import type { Env, PageContext } from '../../http/environment.ts';
import { exportList } from '../../http/export.ts';
import { addressOf, page, withQuery } from '../../http/respond.tsx';

interface Filter {
  /** Its name in the address. */
  readonly name: string;
  readonly label: string;
  /** Each is a link. */
  readonly options?: readonly string[];
  /** The link to no choice. */
  readonly any?: string;
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

/** The page of a list, with its filters, and its export with the same filters. */
export function listPages<Row extends object, Selection>(list: ListOf<Row, Selection>): Hono<Env> {
  const pages = new Hono<Env>();
  const { name, title, filters, actions } = list;
  const givenIn = (c: PageContext) =>
    Object.fromEntries(filters.map((filter) => [filter.name, c.req.query(filter.name)?.trim() || undefined]));

  pages.get('/', async (c) => {
    const { deployment, now } = c.var.console;
    const given = givenIn(c);
    const [after, found, looked] = [
      c.req.query('after') || undefined,
      numberIn(c, 'found'),
      numberIn(c, 'read'),
    ];
    const { entries, next, read, isCutShort } = await list.read(deployment, await list.select(c, given), {
      after,
      enough: Math.max(1, rowsOnPage - found),
      isTimeUp: timeLimit(now, maximumReadMilliseconds),
    });
    const isFirst = after === undefined;
    const isLive = Boolean(list.isLive) && isFirst && !isCutShort;
    const isFiltered = Object.values(given).some((value) => value !== undefined);
    const columns = await list.columns(deployment, entries);
    const place = {
      given,
      next,
      isCutShort,
      isFirst,
      isLive,
      found: found + entries.length,
      read: looked + read,
    };
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
        <Live id={name} address={addressOf(c)} everySeconds={isLive ? 3 : undefined}>
          {entries.length === 0 && next === undefined && isFirst ? (
            <Empty title={isFiltered ? `No ${list.noun} matches.` : `There are no ${name} yet.`}>
              <p class="muted">{isFiltered ? 'Change the filters above, or clear them.' : list.about}</p>
            </Empty>
          ) : (
            <List
              label={title}
              columns={columns}
              rows={entries}
              end={<End list={list} width={columns.length} place={place} />}
            />
          )}
        </Live>
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
          ({ name: filter, label, options, any = 'all' }) =>
            options !== undefined && (
              <Segments
                label={label}
                links={[undefined, ...options].map((option) => ({
                  text: option ?? any,
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

/** How far a page of a list goes. */
interface ShownPlace {
  readonly given: Given;
  readonly next: string | undefined;
  readonly isCutShort: boolean;
  readonly isFirst: boolean;
  readonly isLive: boolean;
  /** On the whole page, which may be filled in parts. */
  readonly found: number;
  readonly read: number;
}

interface EndProps {
  readonly list: { readonly name: string; readonly noun: string };
  readonly width: number;
  readonly place: ShownPlace;
}

/** The last line of a list: how far it goes. While the page is not full, it is replaced by what comes next. */
function End({ list: { name, noun }, width, place }: EndProps) {
  const { given, next, isCutShort, isFirst, isLive, found, read } = place;
  const to = (query: Given) => withQuery(`/${name}`, { ...given, ...query });
  const goesOn = isCutShort && {
    'hx-get': to({ after: next, found: String(found), read: String(read) }),
    'hx-trigger': 'load',
    'hx-select': 'tbody',
    'hx-swap': 'outerHTML',
    'hx-headers': liveHeaders,
  };
  const order = next === undefined ? 'the oldest last.' : 'the newest first. There are older ones.';
  return (
    <tbody {...goesOn}>
      <tr>
        <td class="text muted" colspan={width}>
          <div class="row apart">
            <span role="status">
              {isCutShort
                ? `${counted(found, noun)} found in the newest ${counted(read, noun)}.`
                : `${counted(found, noun)}, ${order}${isLive ? ' Kept up to date.' : ''}`}
            </span>
            <span class="row">
              {isCutShort && (
                <button type="button" data-stop hidden>
                  Stop
                </button>
              )}
              {!isFirst && <a href={to({})}>Newest</a>}
              {next !== undefined && (
                <a class="button" rel="next" href={to({ after: next })}>
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
