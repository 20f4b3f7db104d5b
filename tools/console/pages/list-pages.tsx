import { useRequestContext } from 'hono/jsx-renderer';
import { timeLimit } from '../../operator/deployment/aws-clock.ts';
import { rowNounOf } from '../../operator/description/entity.ts';
import { spoken } from '../../operator/description/noun.ts';
import { OperationError } from '../../operator/errors.ts';
import { type Filter, type FilterValues, parseFilters } from '../../operator/lists/filters.ts';
import type { EntityList, ListSource, Page } from '../../operator/lists/list.ts';
import { readPage } from '../../operator/lists/read.ts';
import type { Operations } from '../../operator/operations.ts';
import { capitalised, counted } from '../../operator/text.ts';
import { namesFor } from '../../operator/uploads/names.ts';
import { ActionButtons, Selection } from '../components/actions.tsx';
import { Live } from '../components/detail.tsx';
import { entityColumns, NamesScope, selectionColumn } from '../components/entity.tsx';
import { List } from '../components/list.tsx';
import { Sentence } from '../components/text.tsx';
import { withQuery } from '../http/addresses.ts';
import { toUtc } from '../http/clock.ts';
import type { Env, PageContext } from '../http/environment.ts';
import { isPoll } from '../http/guard.ts';
import { describeError, ErrorText } from '../http/problem.tsx';
import { page } from '../http/respond.tsx';

const rowsOnPage = 50;

/** Number of rows on a page that also shows other content. */
const rowsInShort = 8;

/** Maximum number of items for a page that reloads itself. An item costs half a read unit. */
const maxLiveRead = 250;

/**
 * Time limit for reading a page. The page then shows the position that it reached. A rare match would read
 * the whole table.
 */
const maxMilliseconds = 5_000;

/**
 * Creates the page of a list with its filters, and with buttons of the general actions, such as creating a client. Risky
 * ones are below the list. The actions on an entity without a page are in its row. Rows have check boxes if an action is
 * on several entities.
 */
export function listPage(
  list: EntityList,
  { general, actions, first = [] }: Pick<Operations, 'general' | 'actions' | 'first'> = {
    general: [],
    actions: [],
  },
) {
  const { entity, verb, filters } = list;
  const name = verb === undefined ? `${entity.noun}s` : `${entity.noun}-${verb}`;
  const title = capitalised(spoken(name));
  const hasActions = entity.main === undefined && actions.length > 0;
  const areSelectable = actions.some(({ titleOfSeveral }) => titleOfSeveral !== undefined);
  const columns = [
    ...(areSelectable ? [selectionColumn(entity)] : []),
    ...entityColumns(entity),
    ...(hasActions
      ? [{ heading: 'Actions', cell: (of: object) => <ActionButtons actions={actions} of={of} /> }]
      : []),
  ];
  const safe = [...first, ...general.filter(({ isRisky }) => !isRisky)];
  const hasNames = entity.listed.some((field) => ['file', 'client'].includes(entity.fields[field]?.of ?? ''));

  return async (c: PageContext) => {
    const { deployment } = c.var.console;
    const given = givenIn(c, filters);
    const after = c.req.query('after') || undefined;
    let source: ListSource<object>;
    try {
      source = await list.source(deployment, parsedFilters(c, filters, given));
    } catch (error) {
      if (!(error instanceof OperationError)) {
        throw error;
      }
      // An invalid filter can be corrected in the form.
      return page(
        c,
        { title, status: describeError(error).status },
        <>
          <ErrorText error={error} />
          <Filters filters={filters} given={given} />
        </>,
      );
    }
    const isShort = c.req.query('short') !== undefined;
    const found = await readPage(deployment, source, {
      after,
      limit: isShort ? rowsInShort : rowsOnPage,
      isTimeUp: isShort ? (read) => read >= maxLiveRead : timeLimit(deployment.now, maxMilliseconds),
      isPoll: isPoll(c),
    });
    const { entries, isCutShort, read } = found;
    const isCheap = isShort || (!isCutShort && read <= maxLiveRead);
    const isLive = list.isLive === true && after === undefined && isCheap;
    const beside = <ActionButtons actions={safe} given={{ organisation: given.organisation }} />;
    return page(
      c,
      { title, beside },
      <NamesScope.Provider value={hasNames ? await namesFor(deployment, entries) : new Map()}>
        <Filters filters={filters} given={given} />
        <Live id={name} address={c.req.url} trigger={isLive ? 'every 3s' : undefined}>
          <List label={title} columns={columns} rows={entries}>
            <End list={list} width={columns.length} given={given} found={found} isLive={isLive} />
          </List>
        </Live>
        {areSelectable && <Selection actions={actions} />}
        <p class="row apart">
          <ActionButtons actions={general.filter(({ isRisky }) => isRisky)} />
        </p>
      </NamesScope.Provider>,
    );
  };
}

/** The values of the filters in the address. */
function givenIn(c: PageContext, filters: readonly Filter[]): FilterValues {
  return Object.fromEntries(filters.map(({ name }) => [name, c.req.query(name)?.trim() || undefined]));
}

/** Parses the filters in the address. A time without a zone is in the zone of the reader. */
export function parsedFilters(
  c: PageContext,
  filters: readonly Filter[],
  given: FilterValues = givenIn(c, filters),
): FilterValues {
  const { clock, console } = c.var;
  const values = filters.map(({ name, isTime }) => {
    const value = given[name];
    return [name, isTime && value !== undefined ? toUtc(value, clock) : value] as const;
  });
  const valuesAt = parseFilters(
    filters,
    Object.fromEntries(values),
    (name) => `"${filters.find((filter) => filter.name === name)?.label ?? name}"`,
  );
  return valuesAt(console.deployment.now());
}

interface FiltersProps {
  readonly filters: readonly Filter[];
  readonly given: FilterValues;
}

/** The filters as fields of a form. With scripts, a changed status applies immediately. */
export function Filters({ filters, given }: FiltersProps) {
  return filters.length === 0 ? null : (
    <search class="stack">
      <form method="get" class="row">
        {filters.map((filter) => (
          <FilterField filter={filter} value={given[filter.name]} />
        ))}
        <button type="submit">Filter</button>
        {isFiltered(given) && <a href="?">Clear</a>}
      </form>
      <p id="time-format" class="muted">
        A time is such as 2026-01-31T12:00, in the time zone of this page, or an age such as 2h or 7d.
      </p>
    </search>
  );
}

function FilterField({ filter, value }: { readonly filter: Filter; readonly value: string | undefined }) {
  const { name, label, choices, isTime, defaultValue } = filter;
  const field = { name, 'aria-label': label };
  return choices === undefined ? (
    <input
      {...field}
      value={value ?? defaultValue}
      placeholder={label}
      size={16}
      autocomplete="off"
      spellcheck={false}
      aria-describedby={isTime && 'time-format'}
    />
  ) : (
    <select {...field}>
      <option value="">
        {label}: {defaultValue ?? 'all'}
      </option>
      {choices.map((choice) => (
        <option selected={choice === value}>{choice}</option>
      ))}
    </select>
  );
}

interface EndProps {
  readonly list: EntityList;
  readonly width: number;
  readonly given: FilterValues;
  readonly found: Page<unknown>;
  readonly isLive: boolean;
}

/**
 * The last line of a list: the number of rows, or the reason for none, and the position that the page
 * reached.
 */
function End({
  list: { entity, verb = 'list', about },
  width,
  given,
  found: { entries, next, isCutShort, read, searchedTo },
  isLive,
}: EndProps) {
  const c = useRequestContext<Env>();
  const { after, short } = c.req.query();
  const to = (query: FilterValues) => withQuery(c.req.path, { ...given, ...query });
  const rowNoun = rowNounOf(entity);
  const shown = counted(entries.length, rowNoun);
  const back = searchedTo === undefined ? '' : `, the log was searched back to ${searchedTo}`;
  const cut = `${shown} found among ${read} that were read. The limit of a page was reached${back}: the command "${entity.noun} ${verb}" has no limit.`;
  const none = isFiltered(given)
    ? `No ${rowNoun} matches. All were read.`
    : `There are no ${rowNoun}s to show. ${about}`;
  const order = next === undefined ? '.' : ', the newest first. There are older ones.';
  const isEmpty = entries.length === 0 && next === undefined && !after;
  const whole = isEmpty ? none : `${shown}${order}`;
  return (
    <tbody>
      <tr>
        <td class="muted" colspan={width}>
          <div class="row apart">
            <span role="status">
              <Sentence of={isCutShort ? cut : whole} />
              {isLive && <span class="kept"> Kept up to date.</span>}
            </span>
            <span class="row">
              {(after || short) && <a href={to({})}>{short ? 'Show all' : 'Newest'}</a>}
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

function isFiltered(given: FilterValues): boolean {
  return Object.values(given).some(Boolean);
}
