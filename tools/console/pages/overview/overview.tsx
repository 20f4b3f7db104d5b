import { Hono } from 'hono';
import type { Child } from 'hono/jsx';
import { type ActivitySpan, activitySpans, rangeOf, readActivity } from '../../../operator/activity.ts';
import { readAlarms } from '../../../operator/alarms.ts';
import { explainAwsError } from '../../../operator/deployment/aws-errors.ts';
import { diagnose } from '../../../operator/doctor/diagnose.ts';
import { Later, Live, Part } from '../../components/detail.tsx';
import type { Env, PageContext } from '../../http/environment.ts';
import { ErrorText } from '../../http/problem.tsx';
import { addressOf, page, withQuery } from '../../http/respond.tsx';
import { ActivityPlots } from './activity-plots.tsx';
import { Alarms } from './alarms.tsx';
import { Findings } from './findings.tsx';

/** Is it up, what happened, and what needs doing. AWS takes seconds to answer, so each part is loaded after the page. */
export const overview = new Hono<Env>();

overview.get('/', (c) => {
  const span = spanOf(c);
  return page(
    c,
    { title: 'Overview' },
    <>
      <Part title="Checks">
        <Later id="checks" address="/overview/checks" />
      </Part>
      <Part title="Activity">
        <Spans chosen={span} />
        <Later id="activity" address={withQuery('/overview/activity', { last: span })} />
        <p class="hint">CloudWatch shows what happened about a minute later.</p>
      </Part>
      <Part title="Alarms">
        <Later id="alarms" address="/overview/alarms" />
      </Part>
    </>,
  );
});

overview.get('/checks', (c) => {
  const { deployment, kind, now } = c.var.console;
  const patient =
    kind === 'local'
      ? ({ kind, deployment } as const)
      : ({ kind, name: deployment.stackName, awsConfig: deployment.awsConfig } as const);
  return partPage(c, 'checks', async () => <Findings findings={await diagnose(patient, now)} />);
});

overview.get('/activity', (c) => {
  const { deployment, now } = c.var.console;
  const range = rangeOf(spanOf(c), now());
  return partPage(c, 'activity', async () => (
    <ActivityPlots activity={await readActivity(deployment, range)} />
  ));
});

overview.get('/alarms', (c) =>
  partPage(c, 'alarms', async () => <Alarms alarms={await readAlarms(c.var.console.deployment)} />),
);

/** Metrics cost money to read. */
const refreshSeconds = 300;

/** Answers with one part. What cannot be read hides no other part. */
async function partPage(c: PageContext, id: string, read: () => Promise<Child>) {
  const content = await read().catch((error: unknown) => (
    <ErrorText error={explainAwsError(error, c.var.console.env)} />
  ));
  return page(
    c,
    { title: `Overview: ${id}` },
    <Live id={id} address={addressOf(c)} everySeconds={refreshSeconds}>
      {content}
    </Live>,
  );
}

function spanOf(c: PageContext): ActivitySpan {
  const given = c.req.query('last');
  return given === 'hour' || given === 'week' ? given : 'day';
}

/** How far back. */
function Spans({ chosen }: { readonly chosen: ActivitySpan }) {
  return (
    <nav class="buttons" aria-label="Time">
      {(Object.keys(activitySpans) as ActivitySpan[]).map((span) => (
        <a
          class="button"
          href={withQuery('/overview', { last: span })}
          aria-current={span === chosen ? 'true' : undefined}
        >
          Last {span}
        </a>
      ))}
    </nav>
  );
}
