import { Hono } from 'hono';
import type { Child } from 'hono/jsx';
import type { TimeRange } from '../../../operator/deployment/metrics.ts';
import { diagnose } from '../../../operator/doctor/diagnose.ts';
import { type Filter, type FilterValues, timeFilter } from '../../../operator/lists/filters.ts';
import { firstActions } from '../../../operator/operations.ts';
import { readActivity } from '../../../operator/requests/activity.ts';
import { ActionButtons } from '../../components/actions.tsx';
import { Later, LatestUploads } from '../../components/detail.tsx';
import { withQuery } from '../../http/addresses.ts';
import type { Env, PageContext } from '../../http/environment.ts';
import { partPage } from '../../http/problem.tsx';
import { page } from '../../http/respond.tsx';
import { Filters, parsedFilters } from '../list-pages.tsx';
import { ActivityOf } from './activity.tsx';
import { Health } from './health.tsx';

/** Health, activity and the latest uploads. AWS takes seconds, so each part is loaded after the page. */
export const overview = new Hono<Env>();

/**
 * Reads each part of the overview, by its name in the address. Metrics cost money, so parts are reloaded
 * rarely.
 */
const parts: Readonly<Record<string, (c: PageContext) => Promise<Child>>> = {
  health: async (c) => {
    return <Health findings={await diagnose(c.var.console.deployment)} />;
  },
  activity: async (c) => {
    const { deployment } = c.var.console;
    return <ActivityOf activity={await readActivity(deployment, rangeOf(c))} asOf={deployment.now()} />;
  },
};

const filters: readonly Filter[] = [
  { ...timeFilter('since', 'from', ''), defaultValue: '24h' },
  timeFilter('until', 'until', ''),
];

/** Returns the range of time in the address: the last day, unless it has another. */
function rangeOf(c: PageContext): TimeRange {
  const { since = '', until } = parsedFilters(c, filters);
  return { since: Date.parse(since), until: until ? Date.parse(until) : c.var.console.deployment.now() };
}

overview.get('/', (c) => {
  const { since = '24h', until } = c.req.query();
  return page(
    c,
    { title: 'Overview', beside: <Ranges chosen={{ since, until }} /> },
    <>
      <Filters filters={filters} given={c.req.query()} />
      <link rel="stylesheet" href="/assets/uplot.css" />
      <script src="/assets/uplot.js" defer />
      <script type="module" src="/assets/charts.js" />
      {Object.keys(parts).map((id) => (
        <Later id={id} address={withQuery(`/overview/${id}`, { since, until })} />
      ))}
      <LatestUploads />
      <div class="row">
        <ActionButtons actions={firstActions} />
      </div>
    </>,
  );
});

/** Links to the last hours and days. */
function Ranges({ chosen }: { readonly chosen: FilterValues }) {
  return (
    <nav class="row" aria-label="Time">
      {['1h', '24h', '7d', '30d'].map((last) => (
        <a
          class="button"
          href={withQuery('/overview', { since: last })}
          aria-current={last === chosen.since && !chosen.until ? 'true' : undefined}
        >
          {last}
        </a>
      ))}
    </nav>
  );
}

for (const [id, read] of Object.entries(parts)) {
  overview.get(`/${id}`, (c) => {
    const part = { id, title: `Overview: ${id}`, trigger: 'every 300s' };
    return partPage(c, part, read(c));
  });
}
