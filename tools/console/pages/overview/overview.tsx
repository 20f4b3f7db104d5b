import { Hono } from 'hono';
import type { Child } from 'hono/jsx';
import { diagnose } from '../../../operator/doctor/diagnose.ts';
import { readPage } from '../../../operator/lists/read.ts';
import { type ActivitySpan, activitySpans, readActivity } from '../../../operator/requests/activity.ts';
import { uploadSource } from '../../../operator/uploads/upload.ts';
import { FirstSteps } from '../../components/actions.tsx';
import { Later } from '../../components/detail.tsx';
import { liveUploads, shownUploads } from '../../components/uploads.tsx';
import { withQuery } from '../../http/addresses.ts';
import type { Env, PageContext } from '../../http/environment.ts';
import { isPoll } from '../../http/guard.ts';
import { partPage } from '../../http/problem.tsx';
import { page } from '../../http/respond.tsx';
import { ActivityOf } from './activity.tsx';
import { Health } from './health.tsx';

/** Health, activity and the latest uploads. AWS takes seconds, so each part is loaded after the page. */
export const overview = new Hono<Env>();

const firstUpload =
  'There are no uploads to show. For the first one, create a file with syncing, and a client that may create syncs. ' +
  'Configure an application with the lines of the client secret. Its upload then appears here.';

/**
 * Reads each part of the overview, by its name in the address. Metrics cost money, so parts are reloaded
 * rarely.
 */
const parts: Readonly<Record<string, (c: PageContext, span: ActivitySpan) => Promise<Child>>> = {
  health: async (c) => {
    const { deployment, kind } = c.var.console;
    return <Health findings={await diagnose(deployment, kind)} />;
  },
  activity: async (c, span) => {
    const { deployment } = c.var.console;
    return <ActivityOf activity={await readActivity(deployment, span)} span={span} />;
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
  const chosen = spanOf(c);
  const beside = (
    <nav class="row" aria-label="Time">
      {Object.keys(activitySpans).map((last) => (
        <a
          class="button"
          href={withQuery('/overview', { last })}
          aria-current={last === chosen ? 'true' : undefined}
        >
          Last {last}
        </a>
      ))}
    </nav>
  );
  return page(
    c,
    { title: 'Overview', beside },
    Object.keys(parts).map((id) => (
      <Later id={id} address={withQuery(`/overview/${id}`, { last: chosen })} />
    )),
  );
});

for (const [id, read] of Object.entries(parts)) {
  overview.get(`/${id}`, (c) => {
    const part = { id, title: `Overview: ${id}`, trigger: 'every 300s' };
    return partPage(c, part, read(c, spanOf(c)));
  });
}

function spanOf(c: PageContext): ActivitySpan {
  const given = c.req.query('last');
  return given === 'hour' || given === 'week' ? given : 'day';
}
