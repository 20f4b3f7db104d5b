import { Hono } from 'hono';
import type { Child } from 'hono/jsx';
import { type ActivitySpan, activitySpans, rangeOf, readActivity } from '../../../operator/activity.ts';
import { explainAwsError } from '../../../operator/deployment/aws-errors.ts';
import { diagnose } from '../../../operator/doctor/diagnose.ts';
import { clientNames, type Names } from '../../../operator/names.ts';
import { type RefusalCount, readRefusals } from '../../../operator/refusals.ts';
import { readUploads } from '../../../operator/uploads.ts';
import { Later, Live } from '../../components/detail.tsx';
import { type Column, Newest, Segments } from '../../components/list.tsx';
import { timeLimit } from '../../http/clock.ts';
import type { Env, PageContext } from '../../http/environment.ts';
import { ErrorText } from '../../http/problem.tsx';
import { addressOf, page, withQuery } from '../../http/respond.tsx';
import { IdLink } from '../shared/links.tsx';
import { uploadColumns } from '../uploads/upload-parts.tsx';
import { ActivityOf } from './activity.tsx';
import { Health } from './health.tsx';

/** Is it well, what happened, who was refused, and what came last. AWS takes seconds to answer, so each part is loaded after the page. */
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

/** As many as a glance takes in. */
const shownRefusals = 10;

/** The logs of a busy day take minutes to read, and nobody waits for them. */
const longestReadMilliseconds = 5_000;

overview.get('/refusals', (c) => {
  const { deployment, now } = c.var.console;
  const range = rangeOf(spanOf(c), now());
  return partPage(c, 'refusals', async () => {
    const isTimeUp = timeLimit(now, longestReadMilliseconds);
    const { counts, isCutShort } = await readRefusals(deployment, range, isTimeUp);
    const rows = counts.slice(0, shownRefusals);
    const ids = rows.flatMap(({ client_id }) => client_id ?? []);
    return (
      <>
        <Newest
          title="Refused clients"
          columns={refusalColumns(await clientNames(deployment, ids))}
          rows={rows}
          all={undefined}
          none={isCutShort ? 'Nothing was found yet.' : 'Nobody was refused.'}
        />
        {(isCutShort || counts.length > rows.length) && (
          <p class="muted">There may be more. The saved query who-is-refused of the logs has them all.</p>
        )}
      </>
    );
  });
});

function refusalColumns(names: Names['clients']): readonly Column<RefusalCount>[] {
  return [
    {
      heading: 'Client',
      cell: ({ client_id: id }) =>
        id === undefined ? 'Unknown' : <IdLink to="clients" id={id} name={names.get(id)} />,
    },
    {
      heading: 'Organisation',
      class: 'wide-only',
      cell: ({ organisation_id: id }) => id !== undefined && <IdLink to="organisations" id={id} />,
    },
    { heading: 'Reason', cell: ({ reason }) => reason.replaceAll('_', ' ') },
    { heading: 'Refused', class: 'right', cell: ({ count }) => count },
  ];
}

const shownUploads = 8;

overview.get('/latest', (c) =>
  partPage(c, 'latest', async () => {
    const { deployment } = c.var.console;
    const { entries } = await readUploads(deployment, {}, { enough: shownUploads });
    const columns = await uploadColumns(deployment, entries);
    return (
      <Newest
        title="Latest uploads"
        columns={columns}
        rows={entries}
        all="/uploads"
        none="There are no uploads yet. The first one appears here by itself."
      />
    );
  }),
);

/** Metrics cost money to read. */
const refreshSeconds = 300;

/** Answers with one part. What cannot be read hides no other part. */
async function partPage(c: PageContext, id: string, read: () => Promise<Child>) {
  const answer = (content: Child) =>
    page(
      c,
      { title: `Overview: ${id}` },
      <Live id={id} address={addressOf(c)} everySeconds={refreshSeconds}>
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
