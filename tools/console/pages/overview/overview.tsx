import { Hono } from 'hono';
import type { Child } from 'hono/jsx';
import { diagnose } from '../../../operator/doctor/diagnose.ts';
import { readPage } from '../../../operator/lists/read.ts';
import { activityMetrics, readActivity } from '../../../operator/requests/activity.ts';
import { uploadSource } from '../../../operator/uploads/upload.ts';
import { FirstSteps } from '../../components/actions.tsx';
import { Later } from '../../components/detail.tsx';
import { liveUploads, shownUploads } from '../../components/uploads.tsx';
import { withQuery } from '../../http/addresses.ts';
import type { Clock } from '../../http/clock.ts';
import type { Env, PageContext } from '../../http/environment.ts';
import { isPoll } from '../../http/guard.ts';
import { partPage } from '../../http/problem.tsx';
import { page } from '../../http/respond.tsx';
import { ActivityOf } from './activity.tsx';
import { Health } from './health.tsx';
import { type ChosenRange, lastLengths, rangeOf } from './range.ts';

/** Health, activity and the latest uploads. AWS takes seconds, so each part is loaded after the page. */
export const overview = new Hono<Env>();

const firstUpload =
  'There are no uploads to show. For the first one, create a file with syncing, and a client that may create syncs. ' +
  'Configure an application with the lines of the client secret. Its upload then appears here.';

/**
 * Reads each part of the overview, by its name in the address. Metrics cost money, so parts are reloaded
 * rarely.
 */
const parts: Readonly<Record<string, (c: PageContext, range: ChosenRange) => Promise<Child>>> = {
  health: async (c, range) => {
    const { deployment, kind } = c.var.console;
    return <Health findings={await diagnose(deployment, kind, range)} />;
  },
  activity: async (c, range) => {
    const { deployment } = c.var.console;
    return (
      <ActivityOf activity={await readActivity(deployment, range, activityMetrics)} asOf={deployment.now()} />
    );
  },
  latest: async (c) => {
    const { deployment } = c.var.console;
    const place = { limit: shownUploads, isPoll: isPoll(c) };
    const { entries } = await readPage(deployment, uploadSource(deployment, {}), place);
    return liveUploads(c, {
      rows: entries,
      title: 'Latest uploads',
      all: '/uploads',
      none: <FirstSteps about={firstUpload} />,
    });
  },
};

overview.get('/', (c) => {
  const chosen = rangeOf(c);
  const query = chosen.last === undefined ? c.req.query() : { last: chosen.last };
  return page(
    c,
    { title: 'Overview', beside: <Ranges chosen={chosen} clock={c.var.clock} /> },
    <>
      <link rel="stylesheet" href="/assets/uplot.css" />
      <script src="/assets/uplot.js" defer />
      <script type="module" src="/assets/charts.js" />
      {Object.keys(parts).map((id) => (
        <Later id={id} address={withQuery(`/overview/${id}`, query)} />
      ))}
    </>,
  );
});

/** Links to the last hours and days, and a form for any other time, in the zone of the reader. */
function Ranges({ chosen, clock }: { readonly chosen: ChosenRange; readonly clock: Clock }) {
  const field = (name: 'since' | 'until', label: string) => (
    <input
      type="datetime-local"
      name={name}
      aria-label={label}
      required
      value={clock.exact(chosen[name]).slice(0, 16).replace(' ', 'T')}
    />
  );
  return (
    <>
      <nav class="row" aria-label="Time">
        {lastLengths.map((last) => (
          <a
            class="button"
            href={withQuery('/overview', { last })}
            aria-current={last === chosen.last ? 'true' : undefined}
          >
            {last}
          </a>
        ))}
      </nav>
      <form method="get" class="row">
        {field('since', 'From')}
        {field('until', 'Until')}
        <button type="submit">Show</button>
      </form>
    </>
  );
}

for (const [id, read] of Object.entries(parts)) {
  overview.get(`/${id}`, (c) => {
    const part = { id, title: `Overview: ${id}`, trigger: 'every 300s' };
    return partPage(c, part, read(c, rangeOf(c)));
  });
}
