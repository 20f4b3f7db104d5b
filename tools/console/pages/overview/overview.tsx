import { Hono } from 'hono';
import type { Child } from 'hono/jsx';
import { explainAwsError } from '../../../operator/deployment/aws-errors.ts';
import { diagnose } from '../../../operator/doctor/diagnose.ts';
import {
  type ActivitySpan,
  activitySpans,
  rangeOf,
  readActivity,
} from '../../../operator/requests/activity.ts';
import { uploads } from '../../../operator/uploads/fields.ts';
import { namesFor } from '../../../operator/uploads/names.ts';
import { readUploads } from '../../../operator/uploads/upload.ts';
import { Later, Live } from '../../components/detail.tsx';
import { entityColumns, NamesScope } from '../../components/entity.tsx';
import { Newest, Segments } from '../../components/list.tsx';
import { withQuery } from '../../http/addresses.ts';
import type { Env, PageContext } from '../../http/environment.ts';
import { ErrorText } from '../../http/problem.tsx';
import { page } from '../../http/respond.tsx';
import { ActivityOf } from './activity.tsx';
import { Health } from './health.tsx';
import { refusedClients } from './refusals.tsx';

/** Is it well, what happened, who was refused, what came last. AWS takes seconds, so each part is loaded after the page. */
export const overview = new Hono<Env>();

overview.get('/', (c) => {
  const chosen = spanOf(c);
  const spans = (Object.keys(activitySpans) as ActivitySpan[]).map((span) => ({
    text: `Last ${span}`,
    href: withQuery('/overview', { last: span }),
    chosen: span === chosen,
  }));
  return page(
    c,
    { title: 'Overview', beside: <Segments label="Time" links={spans} /> },
    <>
      <Later id="health" address="/overview/health" />
      <Later id="activity" address={withQuery('/overview/activity', { last: chosen })} />
      <Later id="refusals" address={withQuery('/overview/refusals', { last: chosen })} />
      <Later id="latest" address="/overview/latest" />
    </>,
  );
});

overview.get('/health', (c) => {
  const { deployment, kind, now } = c.var.console;
  return partPage(c, 'health', async () => <Health findings={await diagnose(deployment, kind, now)} />);
});

overview.get('/activity', (c) => {
  const { deployment, now } = c.var.console;
  const range = rangeOf(spanOf(c), now());
  return partPage(c, 'activity', async () => <ActivityOf activity={await readActivity(deployment, range)} />);
});

overview.get('/refusals', (c) => {
  const { console } = c.var;
  const range = rangeOf(spanOf(c), console.now());
  return partPage(c, 'refusals', () => refusedClients(console, range));
});

const shownUploads = 8;

overview.get('/latest', (c) =>
  partPage(c, 'latest', async () => {
    const { deployment } = c.var.console;
    const { entries } = await readUploads(deployment, {}, { enough: shownUploads });
    return (
      <NamesScope.Provider value={await namesFor(deployment, entries)}>
        <Newest
          title="Latest uploads"
          columns={entityColumns(uploads)}
          rows={entries}
          all="/uploads"
          none="There are no uploads yet. The first one appears here by itself."
        />
      </NamesScope.Provider>
    );
  }),
);

/** Answers with one part, which is seldom loaded again: metrics cost money to read. What cannot be read hides no other part. */
async function partPage(c: PageContext, id: string, read: () => Promise<Child>) {
  const answer = (content: Child) =>
    page(
      c,
      { title: `Overview: ${id}` },
      <Live id={id} address={c.req.url} trigger="every 300s">
        {content}
      </Live>,
    );
  try {
    return await answer(await read());
  } catch (error) {
    return answer(<ErrorText error={explainAwsError(error, c.var.console.env)} />);
  }
}

function spanOf(c: PageContext): ActivitySpan {
  const given = c.req.query('last');
  return given === 'hour' || given === 'week' ? given : 'day';
}
