import { Hono } from 'hono';
import { useRequestContext } from 'hono/jsx-renderer';
import type { Deployment } from '../../operator/deployment/deployment.ts';
import type { AnyAction } from '../../operator/description/action.ts';
import { type Noun, nouns } from '../../operator/description/noun.ts';
import type { DescribedList, Filter, GivenFilters } from '../../operator/lists/described-list.ts';
import type { Page } from '../../operator/lists/list.ts';
import { capitalised, counted } from '../../operator/text.ts';
import type { Names } from '../../operator/uploads/names.ts';
import { ActionButtons } from '../components/actions.tsx';
import { Live } from '../components/detail.tsx';
import { entityColumns, NamesScope } from '../components/entity.tsx';
import { Hidden } from '../components/form.tsx';
import { Empty, List, Segments } from '../components/list.tsx';
import { withQuery } from '../http/addresses.ts';
import { timeLimit, toUtc } from '../http/clock.ts';
import type { Env, PageContext } from '../http/environment.ts';
import { exportList } from '../http/export.ts';
import { page } from '../http/respond.tsx';

/** The page of a list, besides what describes the list. */
interface ListPage<Of extends object> {
  readonly list: DescribedList<Of>;
  /** The actions above the list, such as creating a client. */
  readonly actions: readonly AnyAction[];
  /** Reads the names of the files and clients of the rows. */
  readonly names?: (deployment: Deployment, rows: readonly Of[]) => Promise<Names>;
  /** How to fill in the filters. With this text, the fields are hidden behind "More filters". */
  readonly help?: string;
  /** Whether the first page of the list is kept up to date. */
  readonly isLive?: boolean;
}

const rowsOnPage = 50;

/** The time after which a page stops reading, and continues by itself. A rare match would read the whole table. */
const maximumReadMilliseconds = 700;

/** The page of a list, with its filters, and its export with the same filters. */
export function listPages<Of extends object>(shown: ListPage<Of>): Hono<Env> {
  const pages = new Hono<Env>();
  const { entity, about, filters } = shown.list;
  const name = nouns[entity.noun].plural;
  const title = capitalised(name);
  const columns = entityColumns(entity);

  pages.get('/', async (c) => {
    const { deployment, now } = c.var.console;
    const given = givenIn(c, filters);
    const after = c.req.query('after') || undefined;
    const found = await narrowed(c, shown.list, given).read(deployment, {
      after,
      enough: Math.max(1, rowsOnPage - numberIn(c, 'found')),
      isTimeUp: timeLimit(now, maximumReadMilliseconds),
    });
    const { entries, next, isCutShort } = found;
    const isFirst = after === undefined;
    const isLive = Boolean(shown.isLive) && isFirst && !isCutShort;
    const isFiltered = Object.values(given).some(Boolean);
    const beside = (
      <>
        <ActionButtons actions={shown.actions} given={{ organisation: given.organisation }} />
        <a class="button" href={withQuery(`/${name}/+export.csv`, given)} download>
          CSV
        </a>
      </>
    );
    return page(
      c,
      { title, beside },
      <NamesScope.Provider value={(await shown.names?.(deployment, entries)) ?? {}}>
        <Filters address={`/${name}`} filters={filters} help={shown.help} given={given} />
        <Live id={name} trigger={isLive ? 'every 3s' : undefined}>
          {entries.length === 0 && next === undefined && isFirst ? (
            <Empty title={isFiltered ? `No ${entity.noun} matches.` : `There are no ${name} yet.`}>
              <p class="muted">{isFiltered ? 'Change the filters above, or clear them.' : about}</p>
            </Empty>
          ) : (
            <List label={title} columns={columns} rows={entries}>
              <End noun={entity.noun} width={columns.length} given={given} found={found} isLive={isLive} />
            </List>
          )}
        </Live>
      </NamesScope.Provider>,
    );
  });

  pages.get('/+export.csv', async (c) => {
    const { all } = narrowed(c, shown.list, givenIn(c, filters));
    return exportList(c, entity, await all(c.var.console.deployment));
  });
  return pages;
}

/** The values of the filters in the address. */
function givenIn(c: PageContext, filters: readonly Filter[]): GivenFilters {
  return Object.fromEntries(
    filters.map(queryOf).map((query) => [query, c.req.query(query)?.trim() || undefined]),
  );
}

function queryOf({ name, query = name }: Filter): string {
  return query;
}

/** The list by what the address gives. A time that was entered without a zone is in the zone of the reader. */
function narrowed<Of extends object>(
  { var: { clock } }: PageContext,
  { filters, narrow }: DescribedList<Of>,
  given: GivenFilters,
) {
  const values = filters.map((filter) => {
    const value = given[queryOf(filter)];
    return [filter.name, filter.isTime && value !== undefined ? toUtc(value, clock) : value] as const;
  });
  return narrow(Object.fromEntries(values), {
    now: new Date(clock.now),
    called: (name) => `"${filters.find((filter) => filter.name === name)?.label ?? name}"`,
  });
}

interface FiltersProps {
  /** The address of the list. */
  readonly address: string;
  readonly filters: readonly Filter[];
  readonly help: string | undefined;
  readonly given: GivenFilters;
}

/** The filters. A filter with few choices has links. All other filters are fields of a form. */
function Filters({ address, filters, help, given }: FiltersProps) {
  const fields = (
    <form method="get" class="row">
      {filters.map((filter) => (
        <FilterField filter={filter} value={given[queryOf(filter)]} />
      ))}
      <button type="submit">Filter</button>
      {help !== undefined && <span class="muted">{help}</span>}
    </form>
  );
  const isEntered = (filter: Filter) => filter.choices === undefined && given[queryOf(filter)] !== undefined;
  return (
    <search class="stack">
      <div class="row">
        {filters.map((filter) => (
          <FilterLinks filter={filter} address={address} given={given} />
        ))}
        {help === undefined && fields}
        {Object.values(given).some(Boolean) && <a href={address}>Clear</a>}
      </div>
      {help !== undefined && (
        <details open={filters.some(isEntered)}>
          <summary>More filters</summary>
          {fields}
        </details>
      )}
    </search>
  );
}

function FilterField({ filter, value }: { readonly filter: Filter; readonly value: string | undefined }) {
  const { label, choices } = filter;
  if (choices !== undefined) {
    return value === undefined ? null : <Hidden name={queryOf(filter)} value={value} />;
  }
  return (
    <input
      name={queryOf(filter)}
      value={value ?? ''}
      aria-label={label}
      placeholder={label}
      size={15}
      autocomplete="off"
      spellcheck={false}
    />
  );
}

/** The usual choices of `since`. */
const times = ['24h', '7d', '30d'];

function FilterLinks({
  filter,
  address,
  given,
}: Pick<FiltersProps, 'address' | 'given'> & { readonly filter: Filter }) {
  const query = queryOf(filter);
  const options = filter.name === 'since' ? times : filter.choices;
  return options === undefined ? null : (
    <Segments
      label={filter.label}
      links={[undefined, ...options].map((option) => ({
        text: option ?? (filter.isTime ? 'any time' : 'all'),
        href: withQuery(address, { ...given, [query]: option }),
        chosen: given[query] === option,
      }))}
    />
  );
}

interface EndProps {
  readonly noun: Noun;
  readonly width: number;
  readonly given: GivenFilters;
  readonly found: Page<unknown>;
  readonly isLive: boolean;
}

/** The last line of a list: how many rows there are. While the search continues, the next rows replace this line. */
function End({ noun, width, given, found: { entries, next, isCutShort, ...found }, isLive }: EndProps) {
  const c = useRequestContext<Env>();
  const to = (query: GivenFilters) => withQuery(c.req.path, { ...given, ...query });
  // The number of rows on the whole page, which may be filled in several requests.
  const shown = numberIn(c, 'found') + entries.length;
  const read = numberIn(c, 'read') + found.read;
  const goesOn = isCutShort && {
    'hx-get': to({ after: next, found: String(shown), read: String(read) }),
    'hx-trigger': 'load',
    'hx-select': 'tbody',
  };
  const order = next === undefined ? 'the oldest last.' : 'the newest first. There are older ones.';
  return (
    <tbody {...goesOn}>
      <tr>
        <td class="text muted" colspan={width}>
          <div class="row apart">
            <span role="status">
              {isCutShort
                ? `${counted(shown, noun)} found in the newest ${counted(read, noun)}.`
                : `${counted(shown, noun)}, ${order}${isLive ? ' Kept up to date.' : ''}`}
            </span>
            <span class="row">
              {isCutShort && (
                <button type="button" data-stop>
                  Stop
                </button>
              )}
              {c.req.query('after') && <a href={to({})}>Newest</a>}
              {next !== undefined && (
                <a class="button" rel="next" href={to({ after: next })}>
                  {isCutShort ? 'Continue' : 'Older'}
                </a>
              )}
            </span>
          </div>
        </td>
      </tr>
    </tbody>
  );
}

function numberIn(c: PageContext, name: string): number {
  return Math.max(0, Math.trunc(Number(c.req.query(name))) || 0);
}
